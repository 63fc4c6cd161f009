/** CSS of the pages, with light and dark mode. Long lines of code wrap on narrow screens. */
export const pageStyle = [
  ':root{color-scheme:light dark;--line:#d9d9e0;--soft:#f4f4f7;--link:#0b57d0}',
  'body{font:16px/1.6 system-ui,sans-serif;max-width:42rem;margin:2.5rem auto;padding:0 1.25rem}',
  'h1{font-size:1.75rem;line-height:1.25;margin:1rem 0 1.5rem}',
  'h2{font-size:1.2rem;line-height:1.3;margin:2.25rem 0 .75rem}',
  'a{color:var(--link)}',
  'li{margin:.4rem 0}ul{padding-left:1.25rem}',
  'code{font:.875em/1.6 ui-monospace,monospace;background:var(--soft);border-radius:4px;padding:.1em .3em}',
  'pre{background:var(--soft);border:1px solid var(--line);border-radius:8px;padding:.875rem 1rem}',
  'pre code{background:none;padding:0}',
  'code,pre{white-space:pre-wrap;overflow-wrap:anywhere}',
  '@media(prefers-color-scheme:dark){:root{--line:#33333d;--soft:#1d1d24;--link:#8ab4f8}body{background:#121216;color:#e3e3e8}}',
].join('');
