// What is left until a round closes: on the page, and in its title. It counts
// from what the box said the time is, never from what the phone thinks.
(() => {
  'use strict';
  const words = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: 'always' });
  const plain = document.title.split(' · ').pop();
  const since = new WeakMap(); // when a page's word of the time came
  const left = (s) => s >= 172800 ? [Math.floor(s / 86400), 'day'] : s >= 7200 ? [Math.floor(s / 3600), 'hour'] : s >= 60 ? [Math.floor(s / 60), 'minute'] : [Math.max(0, s), 'second'];
  function tick() {
    let title = plain;
    for (const el of document.querySelectorAll('[data-until]')) {
      let was = since.get(el);
      if (was?.now !== el.dataset.now) since.set(el, was = { now: el.dataset.now, at: Date.now() });
      const text = words.format(...left(Math.floor((el.dataset.until - was.now - (Date.now() - was.at)) / 1000)));
      if (el.textContent !== text) el.textContent = text;
      if (el.dataset.title && title === plain) title = el.dataset.title.replace('%', text) + ' · ' + plain;
    }
    if (document.title !== title) document.title = title;
  }
  clearInterval(window.untilTick); // a screen that is paired loads this again
  window.untilTick = setInterval(tick, 1000);
  tick();
})();
