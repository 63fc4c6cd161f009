/** Renders a page with the name of the front-end. */
export function pageOf(name: string): Response {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${name}</title><h1>${name}</h1></html>\n`;
  return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } });
}
