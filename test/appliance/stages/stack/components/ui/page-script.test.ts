import { describe, expect, it } from 'vitest';
import { origin, Page } from './page.ts';

const passed = 'sent to the server';

/** A page whose server accepts everything. */
function pageWith(limits: { context: number | null; text: number }) {
  const accept = (_path: string, init?: RequestInit) =>
    new Response(typeof init?.body === 'string' ? init.body : passed);
  const page = new Page(accept, limits);
  return async (path: string | URL | Request, body?: string | FormData) => {
    const response = await page.fetch(path, { method: 'POST', ...(body ? { body } : {}) });
    return { status: response.status, text: await response.text() };
  };
}

const chat = `${origin}/api/chat/completions`;
const message = (content: unknown, owner = 'ollama', parent: string | null = null, reply = 'a') =>
  JSON.stringify({
    model_item: { owned_by: owner },
    message_ids: [{ model_id: 'tiny:1b', message_id: reply }],
    parent_id: parent,
    user_message: { content, parentId: parent },
  });
const files = `${origin}/api/v1/files/?process=true`;
const form = (content: string | Uint8Array<ArrayBuffer>, name = 'a.txt') => {
  const data = new FormData();
  data.append('file', new Blob([content]), name);
  return data;
};

describe('the script of the chat page', () => {
  const post = pageWith({ context: 8192, text: 0.5 });

  it.each([
    ['English', 'word '.repeat(30_000), 37_500],
    ['Chinese', '对话'.repeat(10_000), 13_333],
  ])('rejects a message of many %s words with a sentence', async (_language, text, tokens) => {
    const { status, text: answer } = await post(chat, message(text));
    expect(status).toBe(400);
    const { detail } = JSON.parse(answer);
    expect(detail).toContain(`too long: about ${tokens} tokens, and local models`);
    expect(detail).toContain('attach it as a file');
    expect(detail).toMatch(/消息过长.*作为文件上传/);
  });

  it.each([
    ['a message that fits', chat, message('word '.repeat(6000))],
    ['a long message to a hosted model', chat, message('word '.repeat(30_000), 'openai')],
    ['a message with another form', chat, message([{ type: 'text' }])],
    ['an invalid message', chat, 'word '.repeat(30_000)],
    ['a long request to another path', `${origin}/api/v1/notes`, message('a'.repeat(1e6))],
    ['a text within the limit', files, form('a'.repeat(5e5))],
    ['a large PDF', files, form(`%PDF-1.7\n${'a'.repeat(6e5)}`)],
    ['a large archive', files, form(new Uint8Array(6e5))],
    ['a form without a file', files, new FormData()],
  ])('sends %s unchanged', async (_kind, path, body) => {
    const text = typeof body === 'string' ? body : passed;
    expect(await post(path, body)).toEqual({ status: 200, text });
  });

  // Open WebUI rejects a message after one that the server does not know.
  it('lets the next messages follow the reply before rejected messages', async () => {
    const long = 'word '.repeat(30_000);
    const page = pageWith({ context: 8192, text: 0.5 });
    expect((await page(chat, message(long, 'ollama', 'known', 'b'))).status).toBe(400);
    expect((await page(chat, message(long, 'ollama', 'b', 'c'))).status).toBe(400);
    for (const owner of ['ollama', 'openai']) {
      const { text } = await page(chat, message('hello', owner, 'c'));
      expect(text).toBe(message('hello', owner, 'known'));
    }
  });

  it('lets the message after a rejected first one start the chat', async () => {
    await post(chat, message('word '.repeat(30_000), 'ollama', null, 'first'));
    const { text } = await post(chat, message('hello', 'ollama', 'first'));
    expect(text).toBe(message('hello', 'ollama', null));
  });

  it('sends a request without a body, by URL and by request', async () => {
    expect(await post(new URL(chat))).toMatchObject({ text: passed });
    expect(await post(new Request(files))).toMatchObject({ text: passed });
    expect(await post('data:text/plain,hello')).toMatchObject({ text: passed });
  });

  it('rejects a text that takes too long to read, with the limit', async () => {
    const { status, text } = await post(files, form('a'.repeat(5e5 + 1)));
    expect(status).toBe(413);
    expect(JSON.parse(text).detail).toMatch(/the limit is 0\.5 MB.*15 minutes.*上限为 0\.5 MB/);
  });

  it('sends every message on a server without a local model', async () => {
    const text = message('a'.repeat(1e6));
    expect(await pageWith({ context: null, text: 1 })(chat, text)).toMatchObject({ text });
  });

  it.each(['report.docx', 'table.XLSX', 'slides.pptx', 'text.odt'])(
    'says that %s is broken or has a password, and does not send it',
    async (name) => {
      const { status, text } = await post(files, form('\xd0\xcf\x11\xe0', name));
      expect(status).toBe(415);
      expect(JSON.parse(text).detail).toMatch(/broken or has a password.*文件已损坏或有密码/);
      expect((await post(files, form('PK\x03\x04 and more', name))).status).toBe(200);
    },
  );
});
