// What a thread's forms do better with a script. Without it the box says the same.
(() => {
  'use strict';
  // A post that is too long stays where it was typed.
  const size = (text) => new TextEncoder().encode(text.trimEnd()).length;
  for (const form of document.querySelectorAll('form[data-most]')) {
    const field = form.querySelector('textarea');
    const most = Number(form.dataset.most);
    const check = () => field.setCustomValidity(size(field.value) > most ? form.dataset.long : '');
    field.addEventListener('input', check);
    check();
  }
  // A letter is as long on its way as any other.
  for (const form of document.querySelectorAll('form[data-pad]')) {
    const pad = document.createElement('input');
    pad.type = 'hidden';
    pad.name = 'pad';
    form.append(pad);
    form.addEventListener('submit', () => {
      pad.value = '';
      const length = String(new URLSearchParams(new FormData(form))).length;
      pad.value = '0'.repeat(8192 - length % 8192);
    });
  }
})();
