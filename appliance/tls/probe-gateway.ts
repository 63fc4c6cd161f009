import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { isIP } from 'node:net';
import type { Host } from '../host/host.ts';
import { putAnswer } from './acme-folder.ts';

/** Milliseconds. */
const timeout = 8000;
/** Maximum size of a response, in bytes. The expected one is much shorter. */
const longest = 4096;

/** What responds on port 80: this server's gateway, another server, or nothing. */
type Responder = 'gateway' | 'other' | 'none';

/**
 * Requests a token that only this server's gateway can return, as a certificate authority does. Unlike
 * a request to the authority, this has no rate limit.
 */
export async function probeGateway(host: Host, name: string, address: string): Promise<Responder> {
  const [token, answer] = [`landfall-${randomBytes(8).toString('hex')}`, randomBytes(16)];
  const expected = answer.toString('hex');
  const remove = await putAnswer(host, token, expected);
  try {
    const path = `/.well-known/acme-challenge/${token}`;
    const text = await host.outside.measure(() => get(address, name, path));
    if (text === undefined) return 'none';
    return text === expected ? 'gateway' : 'other';
  } finally {
    await remove();
  }
}

/** Returns the body of a response; empty for a status other than 200, undefined without a response. */
async function get(address: string, name: string, path: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const sent = request({
    host: address,
    port: 80,
    path,
    headers: { host: isIP(name) === 6 ? `[${name}]` : name },
    agent: false,
    signal: AbortSignal.timeout(timeout),
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
