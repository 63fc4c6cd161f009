import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { isIP } from 'node:net';
import type { Host } from '../host/host.ts';
import { putAnswer } from './acme-folder.ts';

/** Milliseconds for an answer from the other end of the world. */
const patience = 8000;
/** Bytes; the answer that is looked for is far shorter. */
const longest = 4096;

/** Who answers on port 80: this server's gateway, somebody else, or nobody. */
type Answerer = 'gateway' | 'other' | 'nobody';

/**
 * Asks an address, by a name, for an answer that only this server's gateway can give: exactly what
 * an authority will do, but at no one's cost.
 */
export async function whoAnswers(host: Host, name: string, address: string): Promise<Answerer> {
  const [token, answer] = [`landfall-${randomBytes(8).toString('hex')}`, randomBytes(16)];
  const expected = answer.toString('hex');
  const remove = await putAnswer(host, token, expected);
  try {
    const path = `/.well-known/acme-challenge/${token}`;
    const text = await host.outside.measure(() => get(address, name, path));
    if (text === undefined) return 'nobody';
    return text === expected ? 'gateway' : 'other';
  } finally {
    await remove();
  }
}

/** The body of an answer, empty where it is not one of success; nothing where none comes. */
async function get(address: string, name: string, path: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const sent = request({
    host: address,
    port: 80,
    path,
    headers: { host: isIP(name) === 6 ? `[${name}]` : name },
    agent: false,
    signal: AbortSignal.timeout(patience),
  });
  sent.once('error', () => resolve(undefined));
  sent.once('response', (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (Buffer.concat(chunks).length > longest) response.destroy();
    });
    response.once('close', () =>
      resolve(response.statusCode === 200 ? Buffer.concat(chunks).toString('utf8') : ''),
    );
    response.once('error', () => resolve(''));
  });
  sent.end();
  return await promise;
}
