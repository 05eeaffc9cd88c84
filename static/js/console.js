// The console's own: how many hands are ticked stands on the button that counts
// them, before they are counted.
(() => {
  'use strict';
  function count(form) {
    const out = form.querySelector('output'), n = form.querySelectorAll('input[type=checkbox]:checked:not(:disabled)').length;
    if (out && out.textContent !== '· ' + n) out.textContent = '· ' + n;
  }
  const all = () => document.querySelectorAll('form[data-count]').forEach(count);
  document.addEventListener('change', all);
  document.addEventListener('reset', () => setTimeout(all));
  new MutationObserver(all).observe(document.querySelector('main'), { subtree: true, childList: true });
  all();
})();
