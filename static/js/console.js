// The console's own: how many hands are ticked stands on the button that counts
// them, before they are counted; the lobby offers the phone's time zone, and the
// console the phone's time to a box that has none.
(() => {
  'use strict';
  function count(form) {
    const out = form.querySelector('output'), n = form.querySelectorAll('input[type=checkbox]:checked:not(:disabled)').length;
    if (out && out.textContent !== '· ' + n) out.textContent = '· ' + n;
  }

  // The box refuses a name that it doesn't know, as some phones have of their own.
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const field = (button) => button.form.elements[button.dataset.zone];
  function offer(button) {
    const name = button.querySelector('bdi'), hidden = !own || field(button).value === own;
    if (name.textContent !== own) name.textContent = own;
    if (button.hidden !== hidden) button.hidden = hidden;
  }
  document.addEventListener('click', (e) => {
    const button = e.target.closest?.('button[data-zone]');
    if (!button) return;
    field(button).value = own;
    offer(button);
  });

  // The box's time goes on while its page stays.
  const said = new WeakMap();
  function time(el) {
    if (said.get(el)?.now !== el.dataset.now) said.set(el, { now: el.dataset.now, at: Date.now() });
    const { now, at } = said.get(el), [h, m] = now.split(':').map(Number);
    const day = (h * 60 + m + Math.floor((Date.now() - at) / 60000)) % 1440;
    const text = [day / 60, day % 60].map((n) => String(Math.floor(n)).padStart(2, '0')).join(':');
    if (el.textContent !== text) el.textContent = text;
  }

  const each = (what, does) => document.querySelectorAll(what).forEach(does);
  const all = () => { each('form[data-count]', count); each('button[data-zone]', offer); each('time[data-now]', time); };
  setInterval(all, 5000);
  document.addEventListener('change', all);
  document.addEventListener('reset', () => setTimeout(all));
  new MutationObserver(all).observe(document.querySelector('main'), { subtree: true, childList: true, attributeFilter: ['hidden', 'value', 'data-now'] });
  all();

  // What time it is: this phone's, as long as it can say so.
  document.body.classList.add('scripted');
  const clock = () => document.querySelectorAll('#f-time').forEach((form) => {
    const out = form.querySelector('[data-clock]'), text = new Date().toLocaleString(document.documentElement.lang, { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });
    if (out.textContent !== text) out.textContent = text;
  });
  document.addEventListener('submit', (e) => { if (e.target.id === 'f-time') e.target.elements.now.value = Date.now(); }, true);
  setInterval(clock, 1000);
  clock();
})();
