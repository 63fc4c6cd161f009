import { describe, expect, it } from 'vitest';
import { noticeOf } from '../../../../builder/bundle/notice/notice.ts';
import { referenceWorks } from '../../../../builder/bundle/notice/table.ts';
import type { Work } from '../../../../builder/bundle/notice/works.ts';

const release = { product: 'landfall', version: '1.2.3' };
const works = await referenceWorks();
const zod = { name: 'zod', version: '4.6.7', license: 'MIT', licenseText: 'Copyright of zod\n' };

async function noticeWith(some: readonly Work[]): Promise<string> {
  return (await noticeOf({ ...release, works: some, packages: [zod, zod] })).toString();
}

describe('NOTICE of the reference appliance', () => {
  it('names every work with its version, license and source', async () => {
    const text = await noticeWith(works);
    for (const { name, license, source } of works) {
      expect(text).toContain(`\n${name}: ${license?.product}`);
      expect(text).toContain(`  License: ${license?.spdx}\n`);
      expect(text).toContain(`  Source: ${source}\n`);
    }
    expect(text).toContain('lobe: LobeChat 1.143.3 (lobehub/lobe-chat:1.143.3)');
  });

  it('contains the license texts and the licenses of npm packages once each', async () => {
    const text = await noticeWith(works);
    const titles = [...text.matchAll(/^TEXT OF (.+)$/gm)].map(([, title]) => title);
    expect(titles).toEqual([
      ...['APACHE-2.0', 'BSD-2-CLAUSE', 'GPL-2.0', 'LOBEHUB-COMMUNITY', 'MIT', 'OPEN-WEBUI'],
    ]);
    expect(text.match(/Copyright of zod/g)).toHaveLength(1);
  });

  it('offers the source of programs with the GPL and says where it is', async () => {
    const text = await noticeWith(works);
    expect(text).toContain('for three years from the time in\nrelease.json');
    expect(text).toContain('https://github.com/tinyproxy/tinyproxy\n');
    expect(text).toContain('packages of Alpine: https://gitlab.alpinelinux.org/alpine/aports');
  });

  it('writes a reproducible NOTICE of less than 64 KiB for the reference appliance', async () => {
    const text = await noticeWith(works);
    expect(await noticeWith(works)).toBe(text);
    expect(text.length).toBeLessThan(65_536);
  });
});

describe('NOTICE of another release', () => {
  const node = works.filter(({ name }) => name === 'node');

  it('separates what the server downloads and omits the texts for it', async () => {
    const lobe = works.filter(({ name }) => name === 'lobe');
    const text = await noticeWith([...node, ...lobe.map((work) => ({ ...work, carried: false }))]);
    expect(text.indexOf('NOT IN THIS BUNDLE')).toBeLessThan(text.indexOf('lobe: LobeChat'));
    expect(text).not.toContain('TEXT OF LOBEHUB-COMMUNITY');
  });

  it('contains no offer of source without programs that need one', async () => {
    expect(await noticeWith(node)).not.toContain('SOURCE CODE');
  });

  it('marks a work whose license is not known', async () => {
    const own = { ref: 'image:chat', name: 'chat', origin: 'team/chat:1', license: undefined };
    const text = await noticeWith([{ ...own, carried: true }]);
    expect(text).toContain('chat: team/chat:1\n  License: not known to Landfall');
  });
});
