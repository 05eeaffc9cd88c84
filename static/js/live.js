// The live page. Everything works without this script too, by plain forms and
// reloading; with it the page follows the table by itself.
(() => {
  'use strict';
  const body = document.body;
  const main = document.querySelector('main');
  const net = document.getElementById('net');
  const live = body.dataset.live;
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

  // The app switcher keeps a picture of each page: let it show nothing.
  const blank = (on) => { body.classList.toggle('blank', on); if (on) release(); };
  document.addEventListener('visibilitychange', () => blank(document.hidden));
  addEventListener('pagehide', () => blank(true));
  addEventListener('pageshow', (e) => {
    if (e.persisted) location.reload(); // kept by the browser, and the game has gone on
    else blank(document.hidden);
  });

  // Holding. CSS alone shows a held text; here it becomes reliable: a long press
  // opens no menu, Enter holds as Space does, and iOS needs some touch listener
  // before :active works at all. While anything is pressed the page stays as it
  // is, so that neither a held text nor a button changes under the finger.
  let pressed = null; // by a finger, the mouse or a key; or an open list of choices
  let waiting = null; // the newest page that came meanwhile, and when
  document.addEventListener('touchstart', () => {}, { passive: true });
  document.addEventListener('contextmenu', (e) => { if (e.target.closest('.hold')) e.preventDefault(); });
  document.addEventListener('pointerdown', (e) => press(e.target));
  document.addEventListener('keydown', (e) => {
    const button = e.target.closest?.('.press');
    if (!button || (e.key !== ' ' && e.key !== 'Enter')) return;
    e.preventDefault();
    press(button);
  });
  for (const end of ['pointerup', 'pointercancel', 'keyup', 'change', 'focusout']) {
    // The click that ends a press comes after this event: let it find its button.
    document.addEventListener(end, () => {
      const list = pressed?.closest?.('select'); // stays open when the finger has gone
      if (list ? end.startsWith('pointer') : end === 'change' || end === 'focusout') return;
      unhold();
      setTimeout(release, 60);
    });
  }
  addEventListener('blur', release);

  function press(target) {
    pressed = target;
    unhold();
    const button = target.closest?.('.press');
    button?.parentElement.classList.add('held');
    if (button?.dataset.read) read(button);
    if (target.closest?.('select')) setTimeout(release, 15000);
  }
  function unhold() {
    for (const held of document.querySelectorAll('.held')) held.classList.remove('held');
  }
  function release() {
    unhold();
    pressed = null;
    if (waiting) { const [html, at] = waiting; waiting = null; show(html, at); }
  }

  // Whoever has read a night's answer can't unread it, so the box is told of the
  // first hold: by every seat alike, with or without an answer.
  let readOf = '';
  function read(button) {
    if (readOf === of()) return;
    readOf = of();
    const data = new URLSearchParams({ key: button.dataset.key });
    fetch(button.dataset.read, { method: 'POST', headers: { 'X-Mafiabox': 'live' }, body: data, keepalive: true }).catch(() => {});
  }
  function of() { return main.querySelector('[data-of]')?.dataset.of; }
  function random() { return [...crypto.getRandomValues(new Uint32Array(2))].map((n) => n.toString(36).padStart(7, '0')).join(''); }

  // Keeping the screen on. On plain http a page may not ask for it, so from the
  // first touch on a silent film plays behind the page. Each engine wants
  // something else of it: WebKit sound that is not muted and no loop attribute,
  // Gecko a sound track, Blink much of the screen when it is muted.
  const keep = document.getElementById('keep');
  let film = null;
  function awake() {
    const on = keep?.checked && main.querySelector('[data-playing]');
    if (!on && film) { film.remove(); film.pause(); film = null; }
    if (!on || document.hidden) return;
    if (!film) {
      film = document.createElement('video');
      film.className = 'film';
      film.playsInline = true;
      film.muted = !/^Apple/.test(navigator.vendor);
      film.disableRemotePlayback = true;
      film.ariaHidden = 'true';
      for (const kind of ['mp4', 'webm']) {
        const source = document.createElement('source');
        source.src = '/static/video/awake.' + kind;
        source.type = 'video/' + kind;
        film.append(source);
      }
      film.addEventListener('timeupdate', (e) => { if (e.target.currentTime > 8) e.target.currentTime = Math.random(); });
      film.addEventListener('ended', () => awake());
      body.append(film);
    }
    if (film.paused) film.play().catch(() => {}); // refused: the next touch tries again
  }
  if (keep) {
    try { keep.checked = localStorage.getItem('keep') !== 'no'; } catch { /* not remembered, then */ }
    keep.closest('.keep').hidden = false;
    keep.addEventListener('change', () => {
      try { localStorage.setItem('keep', keep.checked ? 'yes' : 'no'); } catch { /* as above */ }
      awake();
    });
    for (const touch of ['touchend', 'click']) document.addEventListener(touch, awake);
    document.addEventListener('visibilitychange', () => { if (film) awake(); });
  }

  // A clock counts from what was left when its page arrived, or the last sign of
  // life, which says it again. What is heard at ten seconds and at none follows
  // from the number that is shown.
  let arrived = performance.now();
  let told = null; // what was left by a sign of life since
  const shows = new WeakMap();
  function tick() {
    for (const el of document.querySelectorAll('[data-left]')) {
      const gone = 'runs' in el.dataset ? performance.now() - arrived : 0;
      const left = Math.max(0, Math.ceil(((told ?? el.dataset.left) - gone) / 1000));
      const was = shows.get(el);
      shows.set(el, { of: el.dataset.speech, left });
      if (was?.of === el.dataset.speech && 'runs' in el.dataset) {
        const mark = was.left > 0 && left === 0 ? 'time' : was.left > 10 && left <= 10 ? 'ten' : '';
        if (mark) document.dispatchEvent(new CustomEvent('mark', { detail: mark }));
      }
      if (el.textContent !== String(left)) el.textContent = left;
      el.classList.toggle('up', left === 0);
    }
  }
  clearInterval(window.clockTick); // a screen that is paired loads this again
  window.clockTick = setInterval(tick, 100);
  tick();

  // A form that another page answers is sent by the browser itself, and has one
  // length all the same, whatever it says.
  document.addEventListener('submit', (e) => {
    const form = e.target;
    const pad = 'plain' in form.dataset && form.elements.pad;
    if (!pad) return;
    pad.value = '';
    const step = form.elements.text ? 4096 : 1024; // what is written is longer
    pad.value = '0'.repeat(step - String(new URLSearchParams(new FormData(form))).length % step);
  });

  if (!live) return;

  // The new page is laid over the old one: what is the same thing stays the same
  // node, and with it what was typed or ticked, the focus, the scroll position.
  function morph(from, to) {
    let at = from.firstChild;
    for (const want of [...to.childNodes]) {
      let have = at;
      while (have && !same(have, want)) have = have.nextSibling;
      if (!have) { from.insertBefore(want, at); continue; }
      if (have === at) at = at.nextSibling; else from.insertBefore(have, at);
      if (have.nodeType !== 1) { if (have.nodeValue !== want.nodeValue) have.nodeValue = want.nodeValue; continue; }
      const own = (a) => a.name === 'open' && have.localName === 'details'; // whoever opened it closes it
      for (const a of want.attributes) if (!own(a) && have.getAttribute(a.name) !== a.value) have.setAttribute(a.name, a.value);
      for (const a of [...have.attributes]) if (!own(a) && !want.hasAttribute(a.name)) have.removeAttribute(a.name);
      if (!('own' in have.dataset)) morph(have, want);
    }
    while (at) { const next = at.nextSibling; at.remove(); at = next; }
  }
  function same(a, b) { return a.nodeType === b.nodeType && a.nodeName === b.nodeName && key(a) === key(b); }
  function key(node) {
    if (node.nodeType !== 1) return '';
    const name = node.getAttribute('name') ?? '';
    const choice = /^(radio|checkbox)$/.test(node.type) || node.localName === 'button';
    return node.id + '/' + name + (choice ? '=' + node.getAttribute('value') : '');
  }

  // What the box said there to a form without a script stays as long, too: the
  // stream's pages don't say it again.
  const lines = ['error', 'done'];
  for (const id of lines) { const line = document.getElementById(id); if (line?.textContent) line.dataset.own = ''; }
  let shown = main.innerHTML.trim();
  function show(html, at) {
    if (pressed) { waiting = [html, at]; return; }
    if (html === shown) return;
    shown = html;
    arrived = at;
    told = null;
    const page = document.createElement('template');
    page.innerHTML = html;
    for (const id of lines) { // what the script said there stays until the next form
      const line = document.getElementById(id), next = page.content.getElementById(id);
      if (line && next && 'own' in line.dataset) next.dataset.own = '';
    }
    const before = of();
    morph(main, page.content);
    if (of() !== before) { scrollTo(0, 0); say(''); } // another phase begins at its top, with nothing said of the last
    extra(main.querySelector('[data-extra]')?.dataset.extra);
    for (const form of flying) busy(form, true);
    if (film) awake();
    tick();
  }

  // What only some games need, on a page that was open before.
  function extra(names) {
    for (const name of names?.split(' ') ?? []) {
      const path = '/static/' + name;
      if (document.querySelector(`[href="${path}"], [src="${path}"]`)) continue;
      const css = name.startsWith('css'), part = document.createElement(css ? 'link' : 'script');
      if (css) part.rel = 'stylesheet';
      part[css ? 'href' : 'src'] = path;
      document.head.append(part);
    }
  }

  // The stream: each message is a number and the page. Numbers grow while the
  // box runs, and begin again when it does, so they count for one connection.
  let socket = null, life = 0, number = 0, wait = 500, again = 0, lostAt = 0;
  function connect() {
    clearTimeout(again);
    if (socket) { socket.onclose = null; socket.close(); }
    let opened = false;
    number = 0;
    life = Date.now();
    const ws = socket = new WebSocket((location.protocol === 'https:' ? 'wss://' : 'ws://') + location.host + live);
    ws.onopen = () => { opened = true; life = Date.now(); };
    ws.onmessage = (e) => {
      if (ws !== socket) return;
      life = Date.now();
      wait = 500;
      lostAt = 0;
      lost();
      if (e.data[0] === '.') { // only a sign of life, with what is left of a clock
        const left = e.data.slice(1).trim();
        if (left) { told = Number(left); arrived = performance.now(); }
        return;
      }
      const cut = e.data.indexOf('\n');
      const n = Number(e.data.slice(0, cut));
      if (cut < 0 || !(n >= number)) return;
      number = n;
      show(e.data.slice(cut + 1).trim(), performance.now());
    };
    ws.onclose = () => {
      lostAt ||= Date.now();
      again = setTimeout(connect, wait);
      wait = Math.min(5000, wait * 1.7);
      // A box that answers but opens no stream has something else to say.
      if (!opened) fetch(location.href, { cache: 'no-store' }).then((r) => { if (!r.ok || r.redirected) location.reload(); }, () => {});
    };
  }
  function lost() {
    const on = lostAt > 0 && Date.now() - lostAt > 2000;
    if (net.hidden === on) { net.hidden = !on; net.textContent = on ? body.dataset.lost : ''; }
  }
  // Phones drop a connection without a word when they sleep: back from that, from
  // another app or by the back button, the page asks for what is now.
  function stale() { return Date.now() - life > 15000; }
  function wake() { if (!document.hidden) { if (stale()) lostAt ||= Date.now(); connect(); } }
  document.addEventListener('visibilitychange', wake);
  addEventListener('online', wake);
  setInterval(() => { lost(); if (!document.hidden && stale() && socket.readyState <= 1) { lostAt ||= Date.now(); connect(); } }, 1000);
  connect();

  // Sending. A form keeps its key until it is answered, so it counts once
  // however often it had to be sent; then it gets a new one. What is on its way
  // is kept, so that a page that was loaded again goes on sending it.
  const flying = new Set();
  document.addEventListener('submit', (e) => {
    const form = e.target;
    if (form.getAttribute('method') !== 'post' || 'plain' in form.dataset) return;
    e.preventDefault();
    if (flying.has(form)) return;
    const data = new URLSearchParams(new FormData(form));
    if (e.submitter?.name) data.append(e.submitter.name, e.submitter.value);
    data.append('pad', ''); // as long as the next, whatever it says
    const step = data.has('text') ? 4096 : 256; // what is written is longer
    data.set('pad', '0'.repeat(step - String(data).length % step));
    if (form.id) unsent((all) => { all[form.id] = { page: location.pathname, action: form.getAttribute('action'), data: String(data) }; });
    send(form, form.id, form.getAttribute('action'), data);
  });
  function unsent(change) {
    try {
      const all = JSON.parse(sessionStorage.getItem('unsent') ?? '{}');
      change(all);
      sessionStorage.setItem('unsent', JSON.stringify(all));
    } catch { /* not kept, then */ }
  }
  unsent((all) => {
    for (const [id, was] of Object.entries(all)) {
      if (was.page === location.pathname) send(document.getElementById(id), id, was.action, new URLSearchParams(was.data));
    }
  });

  async function send(form, id, action, data) {
    form ??= document.createElement('form'); // the page has no such form now
    say('');
    flying.add(form);
    busy(form, true);
    let answer;
    while (!answer) {
      const stop = new AbortController();
      const late = setTimeout(() => stop.abort(), 8000);
      if (data.get('now')) data.set('now', Date.now()); // what time it is: at this try, however late
      try {
        const r = await fetch(action, {
          method: 'POST', headers: { 'X-Mafiabox': 'live' }, body: data, redirect: 'manual', signal: stop.signal,
        });
        if (r.status === 503 && r.headers.has('Retry-After')) { // the box is away for a moment: it comes again with its key
          say((await r.text()).trim());
          await sleep(2000);
          continue;
        }
        answer = { status: r.status, text: r.status === 204 || r.status === 0 ? '' : (await r.text()).trim() };
      } catch {
        say(body.dataset.retry);
        await sleep(2000);
      } finally {
        clearTimeout(late);
      }
    }
    flying.delete(form);
    unsent((all) => { delete all[id]; });
    busy(form, false);
    const input = form.querySelector('input[name=key]');
    if (input) input.setAttribute('value', input.value.replace(/\..*/, '') + '.' + random());
    if (answer.status === 0) { location.reload(); return; } // sent elsewhere: see where
    const word = answer.text[0] === '+' ? answer.text.slice(1) : ''; // to what was done
    const done = answer.status === 204 || answer.status === 200 && (word || !answer.text); // in a game what is refused has that status, too
    if (!done) { say(!answer.text || answer.text.startsWith('<') ? body.dataset.failed : answer.text); return; }
    say(word, 'done');
    form.reset(); // nothing of what was chosen stays to be seen
    const state = document.getElementById('state');
    if (state && id === 'f-night') state.textContent = state.dataset.sent;
    if (form.contains(document.activeElement)) document.activeElement.blur(); // not of what is being written elsewhere
    if (socket.readyState !== 1) connect();
  }
  function busy(form, on) {
    for (const b of form.querySelectorAll(on ? 'button:not(.press):not([disabled])' : '[data-busy]')) {
      b.disabled = on;
      if (on) b.dataset.busy = ''; else delete b.dataset.busy;
    }
  }
  function say(text, id = 'error') {
    for (const other of lines) {
      const line = document.getElementById(other);
      if (!line) continue;
      line.textContent = other === id ? text : '';
      if (line.textContent) { line.dataset.own = ''; line.scrollIntoView({ block: 'nearest' }); } else delete line.dataset.own;
    }
  }
})();
