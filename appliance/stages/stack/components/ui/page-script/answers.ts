const waiting =
  'Waiting for another answer, or for the model to load: this server writes few answers at a time. This one begins automatically; a long message or document takes longer. 正在等待其他回答或加载模型：此服务器同时只能生成少量回答，轮到时会自动开始；消息或文件较长时需要更久。';
const waitingForProvider =
  'The provider of this model has not begun its answer yet. 此模型的模型服务商尚未开始回答。';
const broken =
  'This answer broke off, because the chat was restarted. Ask again. 回答中断：聊天服务已重启。请重新提问。';
const stopped =
  'The answer was stopped when the page was closed or loaded again, so that others need not wait for it. Ask again to continue. 关闭或重新加载页面时，回答已停止，以免他人等待。如需继续，请重新提问。';

/**
 * The functions that follow an answer: a person learns that it waits, and that it broke off. An answer of a
 * local model that is not read any more is stopped, because others wait for it.
 */
export const answers = `const headers = () => ({ authorization: 'Bearer ' + window.localStorage.token });
/** Returns what the server has; undefined while it does not respond, and nothing in it after a sign-out. */
const read = (path) => send(path, { headers: headers() })
  .then((answer) => (answer.ok ? answer.json() : answer.status < 500 ? {} : undefined), () => undefined);
const pause = () => new Promise((done) => setTimeout(done, 1000));

/** Returns the tasks of a chat; undefined while the server does not respond. */
const tasksOf = async (chat) => {
  const found = await read('/api/tasks/chat/' + chat);
  return found && (found.task_ids ?? []);
};

/** Returns the replies that are not complete. One with a tool may wait for a person. */
const openIn = ({ chat }) => Object.values(chat.history.messages).filter(({ role, done, output }) =>
  role === 'assistant' && done === false && !output?.some(({ type }) => type === 'function_call'));

/** Returns the chat with its open replies marked; undefined if it has none, or one is being written. */
const marked = async (chat) => {
  const isOver = openIn(chat).length > 0 && (await tasksOf(chat.id))?.length === 0;
  // An answer may have ended meanwhile.
  const now = isOver && (await read('/api/v1/chats/' + chat.id));
  const open = now?.chat ? openIn(now) : [];
  for (const reply of open) Object.assign(reply, { done: true, error: { content: '${broken}' } });
  return open.length > 0 ? now : undefined;
};

/** Chats with an answer of a local model that this page asked for, and its replies. */
const asked = new Map();

const bubbleOf = ({ message_id }) => document.getElementById('message-' + message_id);
/** Returns whether a reply is on the page, without a word. */
const isEmpty = (reply) => bubbleOf(reply)?.querySelector('.chat-assistant')?.innerText.trim() === '';
/** The buttons below a reply appear at its end. */
const isComplete = (reply) => bubbleOf(reply)?.querySelector('.copy-response-button');

const follow = async ({ message_ids: replies = [], model_item: model }, { chat_id: chat, task_ids: tasks }) => {
  if (!tasks?.length) return;
  const isLocal = model?.owned_by === 'ollama';
  if (isLocal) asked.set(chat, replies);
  let box;
  for (let seconds = 1, left = tasks; !left || tasks.some((task) => left.includes(task)); seconds += 1) {
    await pause();
    const waits = seconds >= 10 && replies.some(isEmpty);
    if (waits && !box) box = notice(isLocal ? '${waiting}' : '${waitingForProvider}');
    if (box && !waits) hide(box);
    if (seconds % 5 === 0) left = await tasksOf(chat);
  }
  if (box) hide(box);
  if (asked.get(chat) === replies) asked.delete(chat);
  const ended = await read('/api/v1/chats/' + chat);
  if (ended?.chat && (await marked(ended))) notice('${broken}');
};

const mark = 'landfall-stopped';
window.addEventListener('pagehide', () => {
  const open = [...asked].filter(([, replies]) => !replies.every(isComplete));
  for (const [chat] of open)
    send('/api/tasks/chat/' + chat + '/stop', { method: 'POST', headers: headers(), keepalive: true }).catch(() => {});
  if (open.length > 0) window.sessionStorage.setItem(mark, 'yes');
});
window.addEventListener('load', () => {
  if (window.sessionStorage.getItem(mark)) notice('${stopped}');
  window.sessionStorage.removeItem(mark);
});
`;
