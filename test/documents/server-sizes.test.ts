import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { spaceNeeded, swapSize, systemSpace } from '#contract/sizes/disk-needs.ts';
import { planDisk } from '../../appliance/stages/preflight/plan-disk.ts';

import { serverSizes } from '../../builder/commands/init/server-sizes.ts';

/** The estimate of docs/faq.md for the images of a release, as Docker stores them. Bytes. */
const images = 12e9;

interface Row {
  /** All in GB. */
  readonly memory: number;
  readonly disk: number;
  readonly models: number;
}

/** Reads the rows of the table of server sizes. */
function rowsOf(page: string): Row[] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
  const row =
    /^\| (?<memory>\d+) GB \| \d+ \| [^|]+ \| (?<models>[\d.]+ GB|–) \| [\d,–]+ \| (?<disk>\d+) GB \|/gm;
  return [...text.matchAll(row)].map(({ groups = {} }) => ({
    memory: Number(groups.memory),
    disk: Number(groups.disk),
    models: Number.parseFloat(groups.models ?? '') || 0,
  }));
}

function needsOf({ models }: Row) {
  return {
    ...{ images, optional: {}, models: { all: models * 1e9 } },
    ...{ carried: 0, downloads: 0, blobs: 0 },
  };
}

describe.each(['docs/start/sizes.md', 'docs/zh/start/sizes.md'])(
  'the sizes of servers in %s',
  (page) => {
    const rows = rowsOf(page);

    it('lists the servers that init offers', () => {
      const memories = rows.map(({ memory }) => memory);
      expect(memories).toEqual(
        expect.arrayContaining(Object.values(serverSizes).map(({ memory }) => memory)),
      );
    });

    it.each(rows)('shows the disk that the first boot computes for $memory GB of memory', (row) => {
      const once = spaceNeeded(needsOf(row), { dropBlobs: false, keepPrevious: false });
      const swap = swapSize(row.memory * 1e9, Number.POSITIVE_INFINITY);
      const needed = systemSpace + once + swap;
      expect(row.disk).toBe(Math.ceil(needed / 5e9) * 5);
    });

    it.each(rows)(
      'promises rightly that 40 GB leave room for an update with $memory GB of memory',
      (row) => {
        // ext4 and the partition table take a fifteenth.
        const free = (40e9 * 14) / 15 - systemSpace;
        expect(planDisk(needsOf(row), free)).toMatchObject({
          keepPrevious: true,
          dropBlobs: false,
        });
      },
    );
  },
);
