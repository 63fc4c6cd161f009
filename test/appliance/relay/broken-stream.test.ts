import { describe, expect, it } from 'vitest';
import { lastEventOf } from '../../../appliance/relay/broken-stream.ts';
import { anthropic } from '../../../appliance/relay/formats/anthropic.ts';
import { gemini } from '../../../appliance/relay/formats/gemini.ts';
import { ollama } from '../../../appliance/relay/formats/ollama.ts';
import { openai } from '../../../appliance/relay/formats/openai.ts';

const message = 'the provider broke off in the middle of its answer';
const textOf = (...args: Parameters<typeof lastEventOf>) =>
  Buffer.from(lastEventOf(...args)('provider_broke_off') ?? []).toString();

describe('the last event of a broken stream', () => {
  it.each([
    ['OpenAI', openai, '\ndata: {"error":{'],
    ['Anthropic', anthropic, '\nevent: error\ndata: {"type":"error","error":{'],
    ['Gemini', gemini, '\ndata: {"error":{"code":502,'],
  ] as const)('takes the format of the client: %s', (_name, format, start) => {
    const text = textOf('text/event-stream; charset=utf-8', format);
    expect(text.slice(0, start.length)).toBe(start);
    expect(text).toContain(message);
    expect(text.endsWith('}\n\n')).toBe(true);
  });

  it('sends one line of JSON to clients of Ollama', () => {
    const text = textOf('application/x-ndjson', ollama);
    expect(JSON.parse(text)).toEqual({ error: message, code: 'provider_broke_off' });
    expect(text.match(/\n/g)).toHaveLength(1);
  });

  it('adds nothing to a whole answer', () => {
    expect(textOf('application/json', openai)).toBe('');
  });
});
