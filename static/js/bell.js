// The bell of a clock, on the console and the table screen: one short tone when
// ten seconds are left, a long one at the end. It rings with the number that the
// page shows, which live.js tells.
(() => {
  'use strict';
  const kept = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  const keep = (key, value) => { try { localStorage.setItem(key, value); } catch { /* for this evening, then */ } };
  const screen = document.body.classList.contains('tv');

  // Browsers let a page sound only after it was touched.
  let sound = null;
  function listen() {
    const Sound = window.AudioContext || window.webkitAudioContext;
    if (!sound && Sound) sound = new Sound();
    if (sound?.state === 'suspended') sound.resume().catch(() => {});
  }
  for (const touch of ['click', 'touchend', 'keydown']) document.addEventListener(touch, listen);

  function volume() {
    if (!screen) return kept('bell') === 'off' ? 0 : .6;
    const set = kept('screen.volume');
    return kept('screen.silent') === '1' ? 0 : set === null ? .5 : Math.min(1, Math.max(0, Number(set) || 0));
  }
  document.addEventListener('mark', (e) => {
    const loud = volume();
    if (!sound || !loud) return;
    const long = e.detail === 'time' ? .9 : .18;
    const now = sound.currentTime, tone = sound.createOscillator(), gain = sound.createGain();
    tone.type = 'triangle';
    tone.frequency.value = e.detail === 'time' ? 660 : 880;
    gain.gain.setValueAtTime(0, now);
    gain.gain.linearRampToValueAtTime(loud * loud, now + .01);
    gain.gain.setValueAtTime(loud * loud, now + long);
    gain.gain.linearRampToValueAtTime(0, now + long + .05);
    tone.connect(gain).connect(sound.destination);
    tone.start(now);
    tone.stop(now + long + .1);
  });

  const box = document.getElementById('bell');
  if (box) {
    box.checked = kept('bell') !== 'off';
    box.closest('label').hidden = false;
    box.addEventListener('change', () => keep('bell', box.checked ? 'on' : 'off'));
  }
})();
