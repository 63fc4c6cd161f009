import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Events of a stream, and milliseconds between them. */
const events = 40;
const pause = 25;

const chunk = {
  ...{
    id: 'chatcmpl-0123456789abcdefghij',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
  },
  ...{ model: 'gpt-5-mini-2025-08-07', service_tier: 'default', system_fingerprint: null },
};
const choice = (content: string) => ({
  choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }],
});
const text = `data: ${JSON.stringify({ ...chunk, ...choice(' word') })}\n\n`;
const usage = { prompt_tokens: 20, completion_tokens: events, total_tokens: 20 + events };
const last = `data: ${JSON.stringify({ ...chunk, choices: [], usage })}\n\n`;

/**
 * A provider in a process of its own, so that its work is not measured. Every request is answered by a stream
 * of words, with usage for a client that asks. Prints its port.
 */
const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let sent = 0;
  const timer = setInterval(() => {
    sent += 1;
    if (sent <= events) return void response.write(text);
    clearInterval(timer);
    response.end(`${body.includes('include_usage') ? last : ''}data: [DONE]\n\n`);
  }, pause);
  response.write(text);
  response.on('close', () => clearInterval(timer));
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
