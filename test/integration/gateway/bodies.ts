import type { ClientRequest } from 'node:http';
import { connect } from 'node:http2';
import { request } from 'node:https';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import type { GatewayRig } from './gateway-rig.ts';

const MiB = 1024 ** 2;
/** The largest accepted body. Three of them exceed the gateway's memory limit. */
const size = 99 * MiB;
/** The same amount in the response, in chunks of 64 KiB. */
const large = 200 * MiB;
/** Host names, with the path prefix of a component. */
const hosts = [
  ['lobe.example.com', ''],
  ['next.example.com', '/api/openai/v1'],
  ['chat.example.com', ''],
  ['api.example.com', ''],
] as const;

/** Request and response bodies: the gateway buffers neither. */
export function bodies(rig: () => GatewayRig): void {
  describe('a gateway with less memory than its traffic', () => {
    const tls = (host: string) => ({ host: rig().address, servername: host, ca: rig().authority });

    async function upload(host: string, path: string, length: Record<string, string>) {
      const sent = request({ ...tls(host), path, method: 'POST', headers: { host, ...length } });
      const [answer] = await Promise.all([answerTo(sent), pipeline(Readable.from(pieces()), sent)]);
      return await text(answer);
    }

    async function uploadOverHttp2(host: string, path: string): Promise<string> {
      const session = connect(`https://${host}`, tls(host));
      const stream = session.request({ ':method': 'POST', ':path': path });
      const [answer] = await Promise.all([text(stream), pipeline(Readable.from(pieces()), stream)]);
      session.close();
      return answer;
    }

    it.each(hosts)('streams three simultaneous uploads to %s', async (host, below) => {
      const path = `${below}/upload?together=3`;
      const before = await rig().processes();
      for (const one of [
        () => upload(host, path, { 'content-length': String(size) }),
        () => upload(host, path, { 'transfer-encoding': 'chunked' }),
        () => uploadOverHttp2(host, path),
      ]) {
        const answers = await Promise.all([one(), one(), one()]);
        expect(answers.map((answer) => JSON.parse(answer).bytes)).toEqual([size, size, size]);
      }
      expect(await rig().processes()).toEqual(before);
    });

    it.each(hosts)(
      'does not buffer a response of %s for a client that does not read',
      async (host, below) => {
        const before = await rig().processes();
        const written = async () =>
          Number((await rig().client.ask(`https://${host}${below}/written`)).text);
        const already = await written();
        const path = `${below}/large?pieces=${large / (64 * 1024)}`;
        const ask = () => answerTo(request({ ...tls(host), path, headers: { host } }).end());
        const answers = await Promise.all([ask(), ask()]);
        for (const answer of answers) answer.pause();
        let last = -1;
        const stands = async () => {
          const earlier = last;
          last = await written();
          return last === earlier && last > already;
        };
        await expect.poll(stands, { interval: 500, timeout: 60_000 }).toBe(true);
        expect(last - already).toBeLessThan(large);
        expect(await Promise.all(answers.map(lengthOf))).toEqual([large, large]);
        expect(await rig().processes()).toEqual(before);
      },
    );

    it('refuses large files in the gateway, which has no disk space for them', async () => {
      const { code, output } = await rig().exec('sh', '-c', 'cat /dev/zero >/tmp/file');
      expect([code, output]).toEqual([1, expect.stringContaining('No space left')]);
      await rig().exec('sh', '-c', 'echo >/tmp/file');
    });
  });
}

function* pieces(): Generator<Buffer> {
  const piece = Buffer.alloc(MiB, 'x');
  for (let sent = 0; sent < size; sent += MiB) yield piece;
}

async function answerTo(sent: ClientRequest): Promise<Readable> {
  return await new Promise((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
  });
}

async function lengthOf(answer: Readable): Promise<number> {
  let length = 0;
  for await (const chunk of answer) length += (chunk as Buffer).length;
  return length;
}
