import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { RunningStack } from './running-stack.ts';

/** The proxy for the administrator. */
export function proxy(stack: () => RunningStack): void {
  describe('its proxy', () => {
    const account = () =>
      Buffer.from(
        `${stack().secrets.TINYPROXY_USERNAME}:${stack().secrets.TINYPROXY_PASSWORD}`,
      ).toString('base64');
    const connect = async (target: string, authorization?: string) => {
      const sent = request({
        host: await stack().rig.address('tinyproxy', 'outside'),
        port: 8888,
        method: 'CONNECT',
        path: target,
        headers: authorization ? { 'proxy-authorization': `Basic ${authorization}` } : {},
      }).end();
      return await new Promise<number>((resolve, reject) => {
        sent.once('error', reject).once('connect', (response, socket) => {
          socket.destroy();
          resolve(response.statusCode ?? 0);
        });
      });
    };

    it('requires credentials', async () => {
      expect(await connect('api.openai.com:443')).toBe(407);
      expect(await connect('api.openai.com:443', Buffer.from('a:b').toString('base64'))).toBe(401);
    });

    it.each([
      '169.254.169.254:443',
      '[fd00:ec2::254]:443',
      'engine:443',
      '10.0.0.1:443',
      '2852039166:443',
      'example.org:443',
      'api.openai.com:80',
      'api.openai.com:22',
    ])('refuses to connect to %s', async (target) => {
      expect(await connect(target, account())).toBe(403);
    });
  });
}
