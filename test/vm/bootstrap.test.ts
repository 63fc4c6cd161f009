import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serve, silence, stallAfter } from '../faulty-server/faults.ts';
import { FaultyServer } from '../faulty-server/faulty-server.ts';
import { workFolder } from '../simulator/work-folder.ts';
import { diskFolder } from './command/folder.ts';
import { Rig, vm } from './rig.ts';
import type { TrueServer } from './true-server.ts';

const release = '/opt/landfall/releases/0.1.0-amd64';

vm.describe(
  'a bootstrap whose power is cut at its start, while it downloads and while it unpacks',
  async () => {
    const folder = await workFolder(diskFolder());
    let web: FaultyServer;
    let rig: Rig;
    let server: TrueServer;
    let bundle: Buffer;
    /** Requests after the power cut during the download: their `Range` header, if any. */
    let askedAfterCut: Array<string | undefined>;

    beforeAll(async () => {
      rig = await Rig.open(folder);
      bundle = await readFile(join(rig.bundle.dist, rig.bundle.archive));
      web = await FaultyServer.start(silence());
      const mirrors = [`http://10.0.2.2:${web.url('/').port}/`];
      server = await rig.server({ name: 'cut', mirrors });
      await server.powerOn();
      await cutAtItsStart();
      await cutWhileItDownloads();
      await cutWhileItUnpacks();
      await server.waitFor('test -e /run/landfall/status.json');
    });
    afterAll(async () => {
      await rig.close();
      await web.close();
    });

    /** At its first output: files that cloud-init has just written are still only in memory. */
    async function cutAtItsStart(): Promise<void> {
      await server.console.waitFor(/landfall: fetching/);
      await server.powerCut();
    }

    async function cutWhileItDownloads(): Promise<void> {
      web.answer(stallAfter(Math.floor(bundle.length * 0.7), bundle));
      const from = await server.console.end();
      await server.powerOn();
      // The previous file is complete and on disk by then.
      await server.console.waitFor(/landfall: runtime\/docker-compose: \d+ of \d+ MB/, { from });
      await server.powerCut();
    }

    async function cutWhileItUnpacks(): Promise<void> {
      const before = web.seen().length;
      web.answer(serve(bundle));
      await server.powerOn();
      const begun = `test -s ${release}.new/runtime/node || test -e ${release}`;
      await server.waitFor('true');
      await server.output(`until ${begun}; do sleep 0.1; done`);
      askedAfterCut = web
        .seen()
        .slice(before)
        .map(({ headers }) => headers.range);
      await server.powerCut();
      await server.powerOn();
    }

    it('resumes automatically each time, and starts the program', async () => {
      const journal = await server.output('journalctl -o cat -u landfall-boot.service');
      expect(journal).toContain('the release is verified and in place');
      expect(JSON.parse(await server.output('cat /run/landfall/status.json'))).toMatchObject({
        release: '0.1.0',
      });
    });

    it('does not download files again that were on disk', () => {
      const starts = askedAfterCut.map((range) =>
        Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0),
      );
      expect(Math.max(...starts)).toBeGreaterThan(1 << 20);
    });

    it('installs every file as signed although the power is cut', async () => {
      const list = `python3 -c "${listOfFiles}" <release.json`;
      await server.output(`cd ${release} && ${list} | sha256sum --strict --quiet --check`);
    });

    it('installs no other files although the power is cut', async () => {
      const files = "find . -type f ! -path './release.json' ! -path ./runtime/node | sort";
      const list = `python3 -c "${listOfFiles}" <release.json | cut -c67- | sort`;
      const [there, signed] = (await server.output(`cd ${release} && ${files} && echo && ${list}`))
        .replaceAll('./', '')
        .split('\n\n');
      expect(there).toBe(signed);
      expect(await server.output('ls /opt/landfall/releases')).toBe('0.1.0-amd64');
      expect(await server.output('readlink /opt/landfall/current')).toBe('releases/0.1.0-amd64');
    });

    it('runs the bundled Node', async () => {
      expect(await server.output('/opt/landfall/current/runtime/node --version')).toMatch(/^v24\./);
    });
  },
);

const listOfFiles =
  "import json, sys; [print(f['sha256'], '', f['path']) for f in json.load(sys.stdin)['files']]";
