import { renderChat } from '../../../appliance/server/chats/export/markdown.ts';
import { chatSchema } from '../../../appliance/server/chats/export/schemas.ts';
import { forEachLanguage, sections, type Topic } from '../golden.ts';

const place = { folders: ['Birds', 'Small'], documents: new Map([['file-1', 'notes-2.txt']]) };
const messages = {
  question: {
    ...{ id: 'question', parentId: null, childrenIds: ['answer'], role: 'user' },
    ...{ content: 'What is **a heron**?', timestamp: 1_764_000_000 },
    files: [
      { type: 'file', id: 'file-1', name: 'notes.txt' },
      { type: 'image', url: 'data:image/png;base64,AAAA' },
    ],
  },
  answer: {
    ...{
      id: 'answer',
      parentId: 'question',
      childrenIds: [],
      role: 'assistant',
      content: 'A bird.',
    },
    ...{ model: 'tiny:1b', modelName: 'Tiny', timestamp: 1_764_000_060 },
    sources: [{ source: { name: 'web' }, metadata: [{ source: 'https://example.org/a_b' }] }],
    error: { content: 'it broke off' },
  },
};
const head = {
  ...{ id: '1a2b3c4d-0000', title: 'Herons', created_at: 1_764_000_000, updated_at: 1_764_000_180 },
  ...{ archived: true, pinned: true, folder_id: 'f', meta: { tags: ['birds'] } },
  current_message_id: null,
};

/** Exported chats. */
export const chats: Topic = async () => {
  const full = { models: ['tiny:1b'], history: { messages, currentId: 'answer' } };
  const of = (chat: object) => [...renderChat(chatSchema.parse({ ...head, chat }), place)].join('');
  return new Map(
    await forEachLanguage('markdown', () =>
      sections([
        ['chat', of(full)],
        ['empty chat', of({})],
      ]),
    ),
  );
};
