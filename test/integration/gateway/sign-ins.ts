import { describe, expect, it } from 'vitest';
import { everything } from '../../appliance/stages/stack/stack-input.ts';
import type { GatewayRig } from './gateway-rig.ts';

const host = 'chat.example.com';

interface Answer {
  readonly status: number;
  readonly retryAfter?: string;
  readonly text: string;
}

/** Sign-ins of several clients, which are addresses of the gateway's loopback interface. */
export function signIns(rig: () => GatewayRig): void {
  describe('sign-ins to the chat UI', () => {
    const stranger = '127.0.0.21';
    const user = '127.0.0.22';

    /** Sends simultaneous requests from an address. The UI rejects each that reaches it with 400. */
    async function ask(
      from: string,
      count: number,
      path = '/api/v1/auths/signin',
    ): Promise<Answer[]> {
      const script = `
        const { request } = require('node:https');
        const [from, count, path] = process.argv.slice(1);
        const ask = () => new Promise((done) => request({
          localAddress: from, host: '127.0.0.1', path: path + '?status=400', method: 'POST',
          servername: '${host}', rejectUnauthorized: false, headers: { host: '${host}' },
        }, async (answer) => done({
          status: answer.statusCode, retryAfter: answer.headers['retry-after'],
          text: (await answer.toArray()).join(''),
        })).end());
        Promise.all(Array.from({ length: Number(count) }, ask))
          .then((all) => console.log(JSON.stringify(all)));`;
      const args = ['--eval', script, from, `${count}`, path];
      return JSON.parse(await rig().inItsNetwork(process.execPath, ...args));
    }
    const passed = (answers: readonly Answer[]) =>
      answers.filter(({ status }) => status === 400).length;

    it('limits sign-ins of one address to fewer than Open WebUI accepts for one e-mail address', async () => {
      const answers = await ask(stranger, 15);
      expect(passed(answers)).toBe(3);
      const [rejected] = answers.filter(({ status }) => status === 429);
      expect(rejected?.retryAfter).toBe('60');
      expect(JSON.parse(rejected?.text ?? '')).toMatchObject({
        error: { code: 'rate_limited' },
        detail: expect.stringContaining('wait a minute'),
      });
    });

    it('accepts sign-ins of the user while it rejects a stranger', async () => {
      expect(passed(await ask(stranger, 2))).toBe(0);
      expect(passed(await ask(user, 1))).toBe(1);
    });

    it.each(['/api/v1/auths/%73ignin', '/api/v1/auths//signin', '/api/v1/auths/signin/'])(
      'count however the path is written: %s',
      async (path) => {
        expect(passed(await ask(stranger, 2, path))).toBe(0);
      },
    );

    it.each(['update/password', 'signup', 'ldap'])(
      'do not count as other requests that try a password, which have a looser limit: %s',
      async (path) => {
        const from = `127.0.1.${path.length}`;
        expect(passed(await ask(from, 10, `/api/v1/auths/${path}`))).toBe(10);
        const many = await ask(from, 80, `/api/v1/auths/${path}`);
        expect(many.map(({ status }) => status)).toContain(429);
      },
    );

    // A failure of the first two signs the page out. Eleven page loads in a second behind one address did that.
    it('do not count as page loads of sixty people behind one address', async () => {
      const paths = ['/api/v1/auths/', '/api/v1/auths/update/timezone', '/_app/immutable/a.js'];
      const all = await Promise.all(paths.map((path) => ask('127.0.1.60', 60, path)));
      expect(all.map(passed)).toEqual([60, 60, 60]);
    });

    it('from a network that the site exempts have the looser limit', async () => {
      await rig().serve({ ...everything, firewall: { unlimited: ['127.0.0.0/8'] } });
      const answers = await ask(stranger, 90);
      expect(passed(answers)).toBeGreaterThanOrEqual(60);
      expect(passed(answers)).toBeLessThan(90);
      await rig().serve(everything);
    });
  });
}
