import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

/** Events of a stream, each in a chunk of its own. */
const events = 20;

const chunk = {
  ...{
    id: 'chatcmpl-0123456789abcdefghij',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
  },
  ...{ model: 'gpt-5-mini-2025-08-07', service_tier: 'default', system_fingerprint: null },
};
const usage = { prompt_tokens: 20, completion_tokens: events, total_tokens: 20 + events };
const word = {
  ...chunk,
  choices: [{ index: 0, delta: { content: ' word' }, logprobs: null, finish_reason: null }],
};
const message = { role: 'assistant', content: 'Forty words about the sea.', refusal: null };
const whole = JSON.stringify({
  ...{ ...chunk, object: 'chat.completion' },
  ...{ choices: [{ index: 0, message, finish_reason: 'stop' }], usage },
});

const answer = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${whole.length}\r\n\r\n${whole}`;
const head =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
const wordChunk = chunkOf(`data: ${JSON.stringify(word)}\n\n`);
const usageChunk = chunkOf(`data: ${JSON.stringify({ ...chunk, choices: [], usage })}\n\n`);
const done = `${chunkOf('data: [DONE]\n\n')}0\r\n\r\n`;

function chunkOf(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

/**
 * A provider that costs next to nothing: it parses no HTTP but the end of a request. Answers
 * `"stream":true` with words, each in a packet of its own, and everything else with one answer. Prints
 * its port.
 */
const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => {});
  let text = '';
  socket.on('data', (data) => {
    text += data.toString('latin1');
    for (let end = endOf(text); end > 0; end = endOf(text)) {
      respond(socket, text.slice(0, end));
      text = text.slice(end);
    }
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));

/** Returns where the first request in a text ends; 0 if it is incomplete. */
function endOf(text: string): number {
  const body = text.indexOf('\r\n\r\n') + 4;
  if (body < 4) return 0;
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, body)) ?? [];
  if (length !== undefined) return text.length >= body + Number(length) ? body + Number(length) : 0;
  if (!/\r\ntransfer-encoding: *chunked/i.test(text.slice(0, body))) return body;
  const end = text.indexOf('0\r\n\r\n', body - 2);
  return end < 0 ? 0 : end + 5;
}

function respond(socket: Socket, request: string): void {
  if (!/"stream" ?: ?true/.test(request)) return void socket.write(answer);
  socket.write(head);
  let sent = 0;
  const next = () => {
    if (socket.destroyed) return;
    sent += 1;
    if (sent <= events) {
      socket.write(wordChunk);
      setImmediate(next);
    } else socket.write((request.includes('include_usage') ? usageChunk : '') + done);
  };
  setImmediate(next);
}
