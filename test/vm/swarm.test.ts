import { createSocket } from 'node:dgram';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BalancerState } from '../../appliance/nodes/balancer/states.ts';
import { needs } from '../integration/needs.ts';
import { workFolder } from '../simulator/work-folder.ts';
import { tinyGguf } from '../stand-ins/engine/gguf/tiny-gguf.ts';
import { comeUp } from './come-up.ts';
import { diskFolder } from './command/folder.ts';
import { confinementOf, denialsIn } from './confinement.ts';
import { Rig } from './rig.ts';
import type { TrueServer } from './true-server.ts';
import { UdpRelay } from './udp-relay.ts';

const model = 'tiny:1b';
/** A prompt that no other packet contains. */
const prompt = 'marker-of-a-prompt-'.repeat(20);

const say = (line: string) => process.stderr.write(`  ${new Date().toISOString()} ${line}\n`);

const given = needs(
  ...([
    'confinedHost',
    'qemu',
    'accelerator',
    'packageCache',
    'registry',
    'composePlugin',
  ] as const),
);

/** The tests depend on their order. */
given.describe(
  'two servers whose kernels have WireGuard, VXLAN and the profiles of AppArmor 5',
  async () => {
    const folder = await workFolder(diskFolder());
    let relay: UdpRelay;
    let rig: Rig;
    let first: TrueServer;
    let node: TrueServer;
    let hasJoined = false;

    beforeAll(async () => {
      relay = await UdpRelay.start();
      const models = [{ name: model, bytes: tinyGguf(1) }];
      rig = await Rig.open(folder, 'shipped', models, { rareChecks: true });
      const swarm = { address: '10.0.2.2', port: relay.port };
      const image = given.confinedHost;
      first = await rig.server({ name: 'first', image, site: { engines: { local: 'no', swarm } } });
      node = await rig.server({ name: 'gpu1', image, site: { role: 'engine-node' } });
      // Together they would take longer than the limits of Docker and HAProxy on two CPUs.
      for (const server of [node, first]) {
        await server.powerOn();
        await comeUp(server);
      }
      relay.target = await first.forward(relay.port, 'udp');
    }, 3_600_000);
    afterAll(async () => {
      await rig?.close();
      relay?.close();
    });

    /** Waits until HAProxy sends requests to the node. @param timeout milliseconds */
    async function becomesUp(timeout: number): Promise<void> {
      const state = async () => {
        const ran = await first.run('landfall engines list --json').catch(() => undefined);
        if (ran?.exitCode !== 0) {
          say(`engines: ${ran ? `${ran.stdout}${ran.stderr}` : 'no answer'}`);
          return undefined;
        }
        const { servers }: BalancerState = JSON.parse(ran.stdout);
        const found = servers.find(({ name }) => name === 'gpu1');
        // A run takes an hour, so that the reason must be on the screen.
        say(`gpu1: ${found ? `${found.state} ${found.reason ?? ''}` : 'not listed'}`);
        return found?.state;
      };
      await expect.poll(state, { timeout, interval: 30_000 }).toBe('up');
    }

    /** Asks through HAProxy, as the chat UI does. */
    async function ask(): Promise<string> {
      const address = `docker inspect -f '{{range .NetworkSettings.Networks}}{{println .IPAddress}}{{end}}' landfall-balancer`;
      const body = JSON.stringify({ model, prompt, stream: false, options: { num_predict: 20 } });
      return await first.output(
        `for ip in $(${address}); do curl -sf --connect-timeout 5 -m 200 http://$ip:11434/api/generate -d '${body}' && exit; done; exit 1`,
        { limit: 600 },
      );
    }

    it('joins, and answers with the prompt inside of WireGuard only', async () => {
      const { token } = JSON.parse(await first.output('landfall node token gpu1 --json'));
      const joined = await node.run('landfall node join 2>&1', { input: `${token}\n`, limit: 600 });
      say(`join: ${joined.exitCode} ${joined.stdout}`);
      expect(joined).toMatchObject({ exitCode: 0 });
      expect(await node.output('ip -details link show wg-landfall')).toContain('wireguard');
      hasJoined = true;
      await becomesUp(900_000);
      const before = relay.seen.length;
      expect(JSON.parse(await ask()).response).not.toBe('');
      expect(relay.seen.length - before).toBeGreaterThan(1000);
      expect(relay.seen.includes(prompt.slice(0, 40))).toBe(false);
    });

    it.each(['first', 'gpu1'])('denies nothing to the programs of Landfall on %s', async (name) => {
      const server = name === 'first' ? first : node;
      const { profiles } = await confinementOf(server);
      expect(profiles).toMatchObject({ wg: 'enforce', 'wg-quick': 'enforce' });
      expect(await denialsIn(server)).toEqual([]);
    });

    it('drops packets of the overlay that do not come through WireGuard', async () => {
      const chain = `nft list chain inet landfall from-outside | grep 'counter packets.*drop'`;
      const dropped = async () => Number(/packets (\d+)/.exec(await first.output(chain))?.[1]);
      const port = await first.forward(4789, 'udp');
      const before = await dropped();
      const socket = createSocket('udp4');
      // The header of VXLAN (RFC 7348, 5) with a network number of Docker, and an Ethernet frame.
      const forged = Buffer.concat([
        Buffer.from('0800000000100100', 'hex'),
        Buffer.alloc(60, 0xff),
      ]);
      for (let index = 0; index < 10; index += 1) socket.send(forged, port, '127.0.0.1');
      await expect.poll(dropped, { timeout: 30_000 }).toBeGreaterThanOrEqual(before + 10);
      socket.close();
    });

    it.each(['first', 'gpu1'])('answers again after a reboot of %s', async (name) => {
      // A reboot takes many minutes here.
      expect(hasJoined).toBe(true);
      await (name === 'first' ? first : node).reboot();
      relay.target = await first.forward(relay.port, 'udp');
      await becomesUp(900_000);
      expect(JSON.parse(await ask()).response).not.toBe('');
    });
  },
);
