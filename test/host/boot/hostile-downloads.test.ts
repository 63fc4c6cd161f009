import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cutAfter, inTurn, serve, short, silence, stallAfter } from '../../faulty-server/faults.ts';
import { FaultyServer, type Handler } from '../../faulty-server/faulty-server.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import type { FastHost } from '../machine/fast-host.ts';
import { Cloud } from '../network/cloud.ts';
import { HostBundle } from './host-bundle.ts';

const unit = 'landfall-boot.service';
const megabyte = 1 << 20;

for (const distribution of distributions(['debian13'])) {
  const given = hostNeeds(distribution, 'registry', 'composePlugin');

  given.describe(`a tampered download on ${distribution}`, () => {
    let cloud: Cloud;
    let web: FaultyServer;
    let host: FastHost;
    let bundle: Buffer;
    let older: Buffer;

    beforeAll(async () => {
      web = await FaultyServer.start(serve(Buffer.alloc(0)));
      cloud = await Cloud.open(given.dependencies);
      const folder = await workFolder();
      const { registry, composePlugin: plugin } = given;
      const made = await HostBundle.build({ folder: join(folder, 'bundle'), registry, plugin });
      bundle = await readFile(join(made.dist, made.archive));
      older = await readFile(await made.rebuild('0.0.9'));
      const { publicKey } = await cloud.outsider();
      const userData = await made.userData({
        release: [`http://${await cloud.forward(web.host)}/`],
        admin: { ssh_keys: [publicKey] },
      });
      host = await cloud.boot({ distribution, userData });
      expect(await host.cloudInit()).toBe('done');
      // The default timeout of two minutes for a silent server is too long for a test.
      const stallTimeout = '[Service]\nEnvironment=LANDFALL_STALL=3\n';
      await host.output(`mkdir /etc/systemd/system/${unit}.d`);
      await host.put(`/etc/systemd/system/${unit}.d/timeout.conf`, stallTimeout);
      await host.output('systemctl daemon-reload');
    });
    afterAll(async () => {
      await cloud.close();
      await web.close();
    });

    const said = async () => ({ console: await host.console(), journal: await host.journal(unit) });

    /**
     * Makes the server try this download once, and waits for the report on console and in the
     * journal.
     */
    async function tryDownload(handler: Handler, reason: string): Promise<void> {
      await host.output(['systemctl', 'stop', unit]);
      web.answer(handler);
      const before = await said();
      await host.run(['systemctl', 'start', unit]);
      const since = async () => {
        const now = await said();
        return {
          console: now.console.slice(before.console.length),
          journal: now.journal.slice(before.journal.length),
        };
      };
      // journald writes asynchronously.
      const printed = expect.stringContaining(reason);
      await expect.poll(since, { timeout: 60_000, interval: 500 }).toMatchObject({
        console: printed,
        journal: printed,
      });
    }

    async function expectRefusal(handler: Handler, reason: string, last = reason): Promise<void> {
      await host.output('rm -rf /opt/landfall/releases');
      await tryDownload(handler, reason);
      expect(await host.output('cat /run/landfall/bootstrap')).toContain(last);
      const nothing = 'test ! -e /opt/landfall/current && test ! -e /run/landfall/status.json';
      expect(await host.run(nothing)).toMatchObject({ exitCode: 0 });
      expect(await host.run('pgrep --full "[l]andfall.mjs"')).toMatchObject({ exitCode: 1 });
    }

    it('rejects a bundle with one flipped bit, and names the file', async () => {
      await expectRefusal(
        serve(withFlippedBit(bundle, 20 * megabyte)),
        'rejected: runtime/node.tgz: wrong SHA-256',
      );
    });

    it('rejects a header that points to another path', async () => {
      const escaping = Buffer.from(bundle);
      escaping.write('../../../../root/escaped\0', bundle.indexOf('runtime/node.tgz\0'));
      await expectRefusal(serve(escaping), 'rejected: runtime/node.tgz: bad path or header');
      expect(await host.run('find / -xdev -name escaped | grep .')).toMatchObject({ exitCode: 1 });
    });

    it('rejects an older release that is signed with the same key', async () => {
      await expectRefusal(serve(older), 'rejected: release.json does not match the pin');
    });

    it('rejects a truncated file', async () => {
      // The partial file is kept, and the rest is requested once more.
      await expectRefusal(short(bundle.length / 2, bundle), 'is truncated', 'HTTP Error 416');
    });

    it('gives up on a silent server, with a message', async () => {
      await expectRefusal(silence(), 'too slow');
    });

    it('detects that the server returns another file at the second request', async () => {
      const swapped = withFlippedBit(bundle, bundle.length - 3 * megabyte);
      const handler = inSequence(cutAfter(megabyte, bundle), serve(swapped));
      await expectRefusal(handler, 'wrong SHA-256');
    });

    it('detects that the other file is another release with the same signer', async () => {
      const handler = inSequence(cutAfter(10 * megabyte, bundle), serve(older));
      await expectRefusal(handler, 'rejected: release.json does not match the pin');
    });

    it('recovers from the same server once it is correct, even on a poor connection', async () => {
      const badLine = inSequence(
        cutAfter(5 * megabyte, bundle),
        stallAfter(25 * megabyte, bundle),
        serve(bundle),
      );
      web.answer(badLine);
      await host.output(['systemctl', 'start', '--no-block', unit]);
      await host.waitFor('test -e /run/landfall/status.json');
      expect(await host.journal(unit)).toContain('the release is verified and in place');
    });
  });
}

/** Counts requests from its creation on: the server counts all the requests since its start. */
function inSequence(...handlers: readonly Handler[]): Handler {
  const turns = inTurn(...handlers);
  let count = 0;
  return (visit) => {
    count += 1;
    return turns({ ...visit, count });
  };
}

function withFlippedBit(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}
