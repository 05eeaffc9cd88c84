// The table screen's own: the full screen, the night sound, the pages of the
// story, and the way from a screen without a table to one with it. What it
// shows comes from live.js.
(() => {
  'use strict';
  const body = document.body;
  const main = document.querySelector('main');
  const at = (id) => document.getElementById(id);
  const deck = at('deck');
  deck.hidden = false;

  // One tap anywhere is all that a television is asked for.
  let tapped = false;
  addEventListener('click', tap);
  addEventListener('keydown', (e) => {
    if (e.key === '+' || e.key === '=') louder(.1);
    else if (e.key === '-') louder(-.1);
    else if (e.key === 'm') mute();
    else if (e.key === 'ArrowRight') turn(1);
    else if (e.key === 'ArrowLeft') turn(-1);
    else if (e.key === 'Enter' || e.key === ' ') tap(e);
  });
  function tap(e) {
    if (e.target.closest?.('a')) return;
    const button = e.target.closest?.('button');
    listen();
    awake();
    if ((!tapped || button?.id === 'full') && !full()) {
      const root = document.documentElement;
      const asked = (root.requestFullscreen || root.webkitRequestFullscreen)?.call(root);
      asked?.catch?.(() => {}); // a browser that has none: the page is as good without
    }
    tapped = true;
    look();
  }
  const full = () => document.fullscreenElement || document.webkitFullscreenElement;
  function look() {
    at('tap').hidden = tapped;
    at('full').hidden = Boolean(full());
    at('level').textContent = Math.round(volume * 100) + ' %';
    at('level').setAttribute('aria-label', deck.dataset.level);
    at('mute').textContent = silent ? deck.dataset.on : deck.dataset.off;
  }
  document.addEventListener('fullscreenchange', look);
  document.addEventListener('webkitfullscreenchange', look);

  // Nothing but the game is seen while nobody moves the mouse.
  let resting = 0;
  function moved() {
    body.classList.remove('idle');
    clearTimeout(resting);
    resting = setTimeout(() => body.classList.add('idle'), 3000);
  }
  for (const what of ['pointermove', 'pointerdown', 'keydown']) addEventListener(what, moved);
  moved();

  // Only where the browser trusts the address; elsewhere the set's own settings have to do.
  let lock = null;
  async function awake() {
    if (lock || document.hidden || !navigator.wakeLock) return;
    try {
      lock = await navigator.wakeLock.request('screen');
      lock.addEventListener('release', () => { lock = null; });
    } catch { lock = null; }
  }
  document.addEventListener('visibilitychange', awake);
  awake();

  // The night sound: brown noise through a low-pass that swells slowly. It knows
  // only whether it is night, so it is the same whatever happens at the table. A
  // night that lasts hours has none.
  const keep = (key, value) => { try { localStorage.setItem(key, value); } catch { /* then it is for this evening */ } };
  const kept = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  let volume = kept('screen.volume') === null ? .5 : Math.min(1, Math.max(0, Number(kept('screen.volume')) || 0));
  let silent = kept('screen.silent') === '1';
  let sound = null, out = null;
  const fade = 3; // seconds
  function listen() {
    const Sound = window.AudioContext || window.webkitAudioContext;
    if (!sound && Sound) {
      sound = new Sound();
      out = sound.createGain();
      out.gain.value = 0;
      const swell = sound.createGain();
      swell.gain.value = .75;
      const slow = sound.createOscillator(), depth = sound.createGain();
      slow.frequency.value = .07;
      depth.gain.value = .2;
      slow.connect(depth).connect(swell.gain);
      const low = sound.createBiquadFilter();
      low.type = 'lowpass';
      low.frequency.value = 700;
      low.Q.value = .3;
      const noise = sound.createBufferSource();
      noise.buffer = brown(20);
      noise.loop = true;
      noise.connect(low).connect(swell).connect(out).connect(sound.destination);
      slow.start();
      noise.start();
    }
    if (sound?.state === 'suspended') sound.resume().then(hush, () => {});
    hush();
  }
  // brown is so many seconds of noise whose end goes over into its beginning.
  function brown(seconds) {
    const rate = sound.sampleRate, length = rate * seconds, over = rate * 2;
    const buffer = sound.createBuffer(2, length, rate);
    for (let side = 0; side < 2; side++) {
      const raw = new Float32Array(length + over);
      let at = 0, top = 0;
      for (let i = 0; i < raw.length; i++) {
        at = (at + .02 * (2 * Math.random() - 1)) / 1.004;
        raw[i] = at;
        top = Math.max(top, Math.abs(at));
      }
      const data = buffer.getChannelData(side);
      for (let i = 0; i < length; i++) {
        const part = Math.min(1, i / over) * Math.PI / 2;
        data[i] = (raw[i] * Math.sin(part) + (i < over ? raw[length + i] * Math.cos(part) : 0)) * .8 / top;
      }
    }
    return buffer;
  }
  let loud = -1;
  function hush() {
    if (!sound) return;
    const want = main.querySelector('.night:not(.long)') && !silent ? volume * volume : 0;
    if (want === loud) return;
    loud = want;
    const now = sound.currentTime;
    out.gain.cancelScheduledValues(now);
    out.gain.setTargetAtTime(want, now, fade / 3);
  }
  function louder(by) {
    volume = Math.min(1, Math.max(0, Math.round((volume + by) * 10) / 10));
    silent = false;
    remember();
  }
  function mute() { silent = !silent; remember(); }
  function remember() {
    keep('screen.volume', volume);
    keep('screen.silent', silent ? '1' : '0');
    hush();
    look();
  }
  at('softer').addEventListener('click', () => louder(-.1));
  at('louder').addEventListener('click', () => louder(.1));
  at('mute').addEventListener('click', mute);

  // The story turns its pages by itself.
  const reading = 14; // seconds a page
  let turned = Date.now();
  function leaves() {
    const box = at('leaves');
    if (!box) return null;
    const wide = box.clientWidth + (parseFloat(getComputedStyle(box).columnGap) || 0);
    return { box, wide, of: Math.max(1, Math.round((box.scrollWidth + wide - box.clientWidth) / wide)), is: Math.round(box.scrollLeft / wide) };
  }
  function turn(by) {
    const l = leaves();
    if (!l) return;
    turned = Date.now();
    l.is = (l.is + by + l.of) % l.of;
    l.box.scrollLeft = l.is * l.wide;
    count(l);
  }
  function count(l) {
    const text = l.of > 1 ? (l.is + 1) + ' / ' + l.of : '';
    if (at('leaf').textContent !== text) at('leaf').textContent = text;
  }
  setInterval(() => {
    const l = leaves();
    if (!l) { turned = Date.now(); return; }
    count(l);
    if (Date.now() - turned > reading * 1000) turn(1);
  }, 1000);

  new MutationObserver(hush).observe(main, { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] });

  // Which of the two pages is it by now? A screen without a table asks all the
  // time; one with a table when its stream has ended.
  async function ask() {
    const free = 'free' in body.dataset;
    if (!free && at('net').hidden) return;
    const answer = await fetch('/screen', { cache: 'no-store' });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const then = page.body.dataset;
    if (!free) {
      if ('free' in then) location.reload();
      return;
    }
    const next = page.querySelector('main');
    if (next && next.innerHTML !== main.innerHTML) main.replaceChildren(...next.childNodes);
    if (!then.live) return;
    delete body.dataset.free;
    Object.assign(body.dataset, { live: then.live, lost: then.lost });
    const script = document.createElement('script'); // which found nothing to follow until now
    script.src = '/static/js/live.js';
    body.append(script);
  }
  setInterval(() => { if (!document.hidden) ask().catch(() => {}); }, 5000);
  look();
})();
