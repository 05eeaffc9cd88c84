// A file that is too large is not sent: the box reads no more than it may, and
// the browser would show a broken connection.
(() => {
  'use strict';
  const input = document.querySelector('input[type=file][data-most]');
  if (!input) return;
  function look() {
    const large = input.files[0]?.size > input.dataset.most * 1048576; // MiB
    input.setCustomValidity(large ? input.dataset.large : '');
    if (large) input.reportValidity();
  }
  input.addEventListener('change', look);
  look(); // a page that was loaded again may still have it
})();
