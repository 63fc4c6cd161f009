import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { setLanguage } from '#contract/text/language.ts';
import { renderChat as partsOf } from '../../../../../appliance/server/chats/export/markdown.ts';
import { chatSchema } from '../../../../../appliance/server/chats/export/schemas.ts';

afterEach(() => setLanguage('en'));

const place = { folders: ['Birds', 'Small'], documents: new Map([['file-1', 'notes-2.txt']]) };

const renderChat = (...given: Parameters<typeof partsOf>) => [...partsOf(...given)].join('');

/** The messages of a chat with two answers, as Open WebUI 0.12.4 returns them. */
const messages = {
  m1: {
    ...{ id: 'm1', parentId: null, childrenIds: ['m2', 'm3'], role: 'user' },
    ...{ content: 'What is **a heron**?', timestamp: 1_764_000_000, models: ['tiny:1b'] },
    files: [
      { type: 'file', id: 'file-1', name: 'notes.txt', file: { filename: 'notes.txt' } },
      { type: 'image', url: 'data:image/png;base64,AAAA' },
    ],
  },
  m2: {
    ...{ id: 'm2', parentId: 'm1', childrenIds: [], role: 'assistant', content: 'Another answer.' },
    ...{ model: 'tiny:1b', timestamp: 1_764_000_060 },
  },
  m3: {
    ...{ id: 'm3', parentId: 'm1', childrenIds: ['m4'], role: 'assistant', content: '' },
    ...{ model: 'tiny:1b', modelName: 'Tiny', timestamp: 1_764_000_120 },
    output: [
      { type: 'reasoning', content: [{ type: 'output_text', text: 'let me think' }] },
      { type: 'message', content: [{ type: 'output_text', text: 'A bird.' }] },
    ],
    sources: [
      { source: { name: 'notes.txt' }, metadata: [{ name: 'notes.txt', page: 2 }] },
      { source: { name: 'web' }, metadata: [{ source: 'https://example.org/a_b' }] },
    ],
  },
  m4: { id: 'm4', parentId: 'm3', childrenIds: [], role: 'user', content: 'Thanks\u001b[2J\r\n!' },
};

function chatWith(chat: object, more: object = {}) {
  return chatSchema.parse({
    ...{
      id: '1a2b3c4d-0000',
      title: 'Herons',
      created_at: 1_764_000_000,
      updated_at: 1_764_000_180,
    },
    ...{ archived: true, pinned: false, folder_id: 'f', meta: { tags: ['birds'] } },
    ...{ current_message_id: null, chat, ...more },
  });
}

const heron = { models: ['tiny:1b'], history: { messages, currentId: 'm4' } };

describe('the Markdown of a chat', () => {
  it('shows the current branch with roles, times, models, attachments and sources', () => {
    expect(renderChat(chatWith(heron), place)).toBe(`# Herons

- Created: 2025-11-24 16:00 UTC
- Changed: 2025-11-24 16:03 UTC
- Models: tiny:1b
- Folder: Birds / Small
- Tags: birds
- State: archived
- ID: 1a2b3c4d-0000

## User · 2025-11-24 16:00 UTC

What is **a heron**?

Attachments:

- [notes.txt](<../documents/notes-2.txt>)
- image

## Assistant (Tiny) · 2025-11-24 16:02 UTC

A bird.

Sources:

- notes.txt
- https://example.org/a\\_b

## User

Thanks[2J
!
`);
  });

  it('follows another branch if the chat shows it', () => {
    const chat = chatWith({ history: { messages, currentId: 'm2' } });
    const text = renderChat(chat, place);
    expect(text).toContain('Another answer.');
    expect(text).not.toContain('A bird.');
  });

  it('writes headings in Chinese in a Chinese process', () => {
    setLanguage('zh');
    const text = renderChat(chatWith(heron), place);
    expect(text).toContain('## 用户 · 2025-11-24 16:00 UTC');
    expect(text).toContain('## 助手 (Tiny)');
  });

  it('escapes a title and names, which are one line', () => {
    const title = '<script>\n# [x](javascript:alert(1))';
    const [first = ''] = renderChat(chatWith(heron, { title }), place).split('\n');
    expect(first).toBe('# \\<script\\> \\# \\[x\\](javascript:alert(1))');
  });

  it.each([
    ['of an early version', { messages: [{ role: 'user', content: 'Hello.' }] }, 'Hello.'],
    ['without messages', {}, 'No messages.'],
    [
      'whose current message is missing',
      { history: { messages: { a: { role: 'user', content: 'Last.' } }, currentId: 'lost' } },
      'Last.',
    ],
    [
      'whose messages are their own ancestors',
      {
        history: {
          messages: {
            a: { role: 'user', content: 'A.', parentId: 'b' },
            b: { role: 'user', content: 'B.', parentId: 'a' },
          },
          currentId: 'a',
        },
      },
      'B.\n\n## User\n\nA.',
    ],
    [
      'with parts and an error',
      {
        messages: [{ role: 'user', content: [{ text: 'Two ' }, 7, { text: 'parts.' }] }],
      },
      'Two parts.',
    ],
    [
      'with a failed reply',
      { messages: [{ role: 'assistant', content: '', error: { content: 'out of memory' } }] },
      'Error:\n\n- out of memory',
    ],
  ])('shows a chat %s', (_kind, chat, expected) => {
    expect(renderChat(chatWith(chat), place)).toContain(expected);
  });

  it('removes control characters, whatever an account has stored', () => {
    const message = (json: fc.Arbitrary<unknown>) =>
      fc.record(
        {
          ...{ role: json, content: json, parentId: fc.constantFrom('a', 'b', 'c'), output: json },
          ...{ timestamp: json, files: json, sources: json, model: json, error: json },
        },
        { requiredKeys: [] },
      );
    const value = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 3 },
        fc.string({ unit: 'binary' }),
        fc.double(),
        fc.constant(null),
        fc.array(tie('json'), { maxLength: 3 }),
        message(tie('json')),
      ),
    })).json;
    const history = fc.record({
      messages: fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), message(value)),
      currentId: fc.constantFrom('a', 'b', null),
    });
    const chat = fc.record({ models: value, history: fc.oneof(history, value), messages: value });
    fc.assert(
      fc.property(chat, fc.string({ unit: 'binary' }), (content, title) => {
        const text = renderChat(chatWith(content, { title }), place);
        expect(text).not.toMatch(/[^\P{Cc}\n\t]/u);
        expect(text).toMatch(/^# .+\n/);
      }),
    );
  });
});
