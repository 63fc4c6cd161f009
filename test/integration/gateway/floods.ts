import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { connect as connectPlainly, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { everything } from '../../appliance/stages/stack/stack-input.ts';
import { waiting } from '../stack/waiting.ts';
import type { GatewayRig } from './gateway-rig.ts';

/** More than the gateway's former limit. The firewall, which is absent here, allows three hundred. */
const many = 2100;
const host = 'chat.example.com';

/** Many simultaneous requests that never end. */
export function floods(rig: () => GatewayRig): void {
  describe('a gateway under a flood of requests', () => {
    it('serves other clients during thousands of incomplete requests of one client, and times these out', async () => {
      const started = performance.now();
      const sockets = await Promise.all(Array.from({ length: many }, halfSent));
      const last = sockets.at(-1) as Socket;
      expect((await rig().client.ask(`https://${host}/`)).status).toBe(200);
      if (!last.destroyed) await new Promise((resolve) => last.once('close', resolve));
      expect(performance.now() - started).toBeLessThan(30_000);
      for (const socket of sockets) socket.destroy();
    });

    it('rejects simultaneous requests of one client beyond a limit, over HTTP/2 as well', async () => {
      const { statuses, end } = await hangingRequests(36, 32);
      await expect.poll(() => statuses.length, waiting).toBe(36 * 32 - 1000);
      expect(new Set(statuses)).toEqual(new Set([429]));
      const { status, headers, text } = await rig().client.ask(`https://${host}/`);
      expect([status, headers['retry-after']]).toEqual([429, '5']);
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'rate_limited' } });
      expect(await askFromElsewhere()).toBe('200');
      await end();
      await expect
        .poll(async () => (await rig().client.ask(`https://${host}/`)).status, waiting)
        .toBe(200);
    });

    it('limits the simultaneous requests of an HTTP/2 connection', async () => {
      const session = await open();
      expect(session.remoteSettings.maxConcurrentStreams).toBe(32);
      session.destroy();
    });

    it('does not limit networks that the site exempts', async () => {
      const here = (await rig().client.ask(`https://${host}/`)).text;
      const from = JSON.parse(here).headers['x-real-ip'];
      await rig().serve({
        ...everything,
        firewall: { unlimited: [`${from}/32`, '2001:db8::/32'] },
      });
      const { statuses, end } = await hangingRequests(36, 32);
      expect((await rig().client.ask(`https://${host}/`)).status).toBe(200);
      expect(statuses).toEqual([]);
      await end();
      await rig().serve(everything);
    });

    async function halfSent(): Promise<Socket> {
      const socket = connectPlainly(80, rig().address);
      socket.on('error', () => {});
      await once(socket, 'connect');
      socket.write(`POST / HTTP/1.1\r\nHost: ${host}\r\nX-Half: `);
      return socket.resume();
    }

    async function open(): Promise<ClientHttp2Session> {
      const session = connect(`https://${host}`, {
        ...{ host: rig().address, servername: host, ca: rig().authority },
      });
      session.on('error', () => {});
      await once(session, 'remoteSettings');
      return session;
    }

    /** Sends requests that never get a response. Returns the statuses of the rejected ones. */
    async function hangingRequests(connections: number, each: number) {
      const statuses: number[] = [];
      const sessions = await Promise.all(Array.from({ length: connections }, open));
      for (const session of sessions) {
        for (let count = 0; count < each; count += 1) {
          const stream = session.request({ ':path': '/hang' });
          stream.on('error', () => {});
          stream.on('response', ({ ':status': status = 0 }) => statuses.push(status));
        }
        await new Promise((resolve) => session.ping(() => resolve(undefined)));
      }
      const end = async () => {
        const closed = sessions.map((session) => once(session, 'close'));
        for (const session of sessions) session.destroy();
        await Promise.all(closed);
      };
      return { statuses, end };
    }

    async function askFromElsewhere(): Promise<string> {
      const script = `require('node:https').get({ host: '127.0.0.1', servername: '${host}', rejectUnauthorized: false, headers: { host: '${host}' } }, (answer) => { console.log(answer.statusCode); process.exit(); })`;
      return await rig().inItsNetwork(process.execPath, '--eval', script);
    }
  });
}
