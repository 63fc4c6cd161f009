import { ollama } from '../../../appliance/relay/formats/ollama.ts';
import { formats } from '../../../appliance/relay/formats/request-format.ts';
import { type Refusal, refusalResponse, refusals } from '../../../appliance/relay/refusal.ts';
import { json, sections, type Topic } from '../golden.ts';

/** What clients of the relay see when it refuses a request, in the format of each API. */
export const relay: Topic = () =>
  new Map(
    Object.entries({ ...formats, ollama }).map(([name, format]) => [
      `refusals.${name}.txt`,
      sections(
        Object.keys(refusals).map((code) => {
          const refused = code as Refusal['refused'];
          const limited =
            refused === 'relay_rate_limited' ? { headers: { 'retry-after': '7' } } : {};
          const { status, headers, body } = refusalResponse({ refused, ...limited }, format);
          // Each response has its own ID.
          const { 'x-request-id': _id, ...fixed } = headers as Record<string, string>;
          return [`${code}: ${status}`, `${json(fixed)}${body}`];
        }),
      ),
    ]),
  );
