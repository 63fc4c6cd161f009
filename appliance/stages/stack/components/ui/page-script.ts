import { contextOf } from '#contract/sizes/model-memory.ts';
import { documentLimits } from '../../document-limits.ts';
import { plainFile, type RenderedFile } from '../../rendered-file.ts';
import type { StackInput } from '../../stack-input.ts';
import { answers } from './page-script/answers.ts';
import { documentChecks } from './page-script/documents.ts';
import { limitChecks, type PageLimits } from './page-script/limits.ts';
import { notices } from './page-script/notices.ts';

/** Open WebUI's page loads this script, which is empty in its image. */
export const pageScriptPath = '/static/loader.js';
/** The file that the gateway serves instead, below the stack's folder. */
export const pageScriptFile = 'gateway/public/ui-limits.js';

/** Renders the script that the gateway adds to Open WebUI's page. */
export function renderPageScript({ models, server, site }: StackInput): RenderedFile {
  return plainFile(
    pageScriptFile,
    pageScript({
      context: models?.chat ? contextOf(models.models, server, site) : null,
      text: documentLimits(models?.embedding, server).text,
    }),
  );
}

/**
 * Returns the script. It checks requests before the page sends them, and answers in place of the server, so
 * that Open WebUI shows the sentence as an error of its own; and it reads responses before the page does. What
 * it does not understand passes unchanged.
 */
export function pageScript(limits: PageLimits): string {
  return `(() => {
const { document } = window;
const send = window.fetch.bind(window);
const json = (value, status) =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } });
const refuse = (status, detail) => json({ detail }, status);

${limitChecks(limits)}
${documentChecks}
${notices}
${answers}
const checkFile = async (file) => {
  if (!(file instanceof Blob)) return;
  const start = new Uint8Array(await file.slice(0, 4096).arrayBuffer());
  return checkArchive(file, start) ?? checkText(file, start);
};

/** Returns a response, another body, or neither. */
const check = async (path, body) => {
  if (path === '/api/chat/completions') return checkMessage(JSON.parse(body));
  if (path === '/api/v1/files/') return await checkFile(body.get('file'));
};

/** Returns another response, or none. */
const replace = async (path, init, response) => {
  if (path.startsWith('/api/v1/files/') && path.endsWith('/process/status')) return explained(response);
  if (!response.headers.get('content-type')?.includes('json')) return;
  if (response.status === 403) return notSaved(await response.clone().json());
  if (!response.ok) return;
  if (path === '/api/chat/completions') return void follow(JSON.parse(init.body), await response.clone().json());
  if (!/^\\/api\\/v1\\/chats\\/[\\w-]{36}$/.test(path) || (init?.method ?? 'GET') !== 'GET') return;
  const chat = await marked(await response.clone().json());
  return chat && json(chat, 200);
};

window.fetch = async (input, init) => {
  const path = URL.canParse(input, location.href) ? new URL(input, location.href).pathname : '';
  const checked = init?.body && (await check(path, init.body).catch(() => undefined));
  if (checked instanceof Response) return checked;
  const sent = checked ? { ...init, body: JSON.stringify(checked) } : init;
  const response = await send(input, sent);
  return (await replace(path, sent, response).catch(() => undefined)) ?? response;
};
})();
`;
}
