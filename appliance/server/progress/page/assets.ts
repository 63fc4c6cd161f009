import { createHash } from 'node:crypto';

/**
 * Returns a policy that allows nothing but the inline style and script of a page (CSP Level 3). The
 * script may request pages of its own origin.
 */
export function contentPolicyFor({ style, script }: { style: string; script?: string }): string {
  return [
    "default-src 'none'",
    `style-src ${hash(style)}`,
    ...(script === undefined ? [] : [`script-src ${hash(script)}`, "connect-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Supports light and dark mode and small screens. */
export const style = `
:root{color-scheme:light dark;accent-color:#2f6fed;--failed:#b3261e;font:1rem/1.5 system-ui,sans-serif}
@media(prefers-color-scheme:dark){:root{--failed:#ff8a80}}
body{max-width:34rem;margin:0 auto;padding:1.5rem 1rem;background:Canvas;color:CanvasText}
.name{font-weight:700;margin:0 0 1rem}
h1{font-size:1.4rem;line-height:1.3;margin:0 0 1rem}
h1 span,small{display:block;font-weight:400}
small{opacity:.75;font-size:.875rem}
ol{padding:0;margin:1.5rem 0;list-style:none;counter-reset:s}
li{display:grid;grid-template-columns:2rem 1fr auto;gap:0 .5rem;padding:.4rem 0;border-top:1px solid color-mix(in srgb,CanvasText 15%,transparent);counter-increment:s}
li:before{content:counter(s);text-align:right}
li>b{font-weight:inherit}
li>b,li>span{display:flex;flex-wrap:wrap;gap:0 .6em;align-items:baseline}
li.running,li.failed{font-weight:600}
.failed{color:var(--failed);accent-color:var(--failed)}
.failed small{opacity:1}
.waiting{opacity:.7}
.waiting small{opacity:1}
progress{width:100%;height:.8rem}
li progress,li p{grid-column:2/4;margin:.25rem 0 0;font-weight:400}
code{display:inline-block;padding:.1rem .4rem;background:color-mix(in srgb,CanvasText 8%,transparent)}
`.trim();

/**
 * Polls the page every three seconds and reloads once the gateway has replaced it or refuses to serve
 * it; errors during the handover are ignored. Replaces only changed elements, so that a selection is kept. The status line
 * keeps its node, because screen readers announce changes within a live region (WAI-ARIA 1.2,
 * `status`). Without JavaScript the page refreshes with a meta tag.
 */
export const script = `
setInterval(async()=>{try{
const r=await fetch("/",{cache:"no-store",redirect:"manual"}),
t=new DOMParser().parseFromString(r.ok?await r.text():"","text/html"),m=t.querySelector("main.landfall");
if(r.type=="opaqueredirect"||r.status==403||r.ok&&!m)location.reload();
if(m){document.title=t.title;const o=document.querySelector("main").children;
if(o.length!=m.children.length)location.reload();
[...m.children].forEach((n,i)=>{if(!o[i].isEqualNode(n))
n.matches("[role]")?o[i].replaceChildren(...n.childNodes):o[i].replaceWith(n)})}
}catch{}},3e3)
`.trim();

/** Allows only the style and the script of this page. */
export const contentPolicy = contentPolicyFor({ style, script });
