/**
 * The functions that show a notice of the script, one at a time. While it says that something was not saved,
 * Open WebUI's own notices are hidden: some pages report nothing, others several errors, and one success.
 */
export const notices = `const look = 'position:fixed;z-index:99999;top:16px;left:50%;transform:translateX(-50%);max-width:min(640px,90vw);' +
  'padding:12px 16px;border-radius:12px;font:14px/1.5 system-ui,sans-serif;color:#fff;background:#334155;' +
  'box-shadow:0 4px 16px #0006;cursor:pointer';
let shown, timer;
const hide = (box) => {
  if (box && box !== shown) return;
  clearTimeout(timer);
  shown?.remove();
  shown = undefined;
};

/** Shows a text until a click, or for some seconds. */
const notice = (text, seconds) => {
  hide();
  const box = document.createElement('div');
  box.setAttribute('role', 'status');
  box.setAttribute('data-landfall-notice', '');
  box.setAttribute('style', look);
  box.textContent = text;
  box.addEventListener('click', () => hide(box));
  document.body.append(box);
  shown = box;
  if (seconds) timer = setTimeout(hide, seconds * 1000, box);
  return box;
};

const notSaved = ({ error, detail }) => {
  if (error?.code !== 'settings_in_site') return;
  const style = document.createElement('style');
  style.textContent = '[data-sonner-toast] { display: none !important }';
  notice(detail, 8).append(style);
};
`;
