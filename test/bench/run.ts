import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchImages } from '../images/bench-images.ts';
import { Afterwards } from '../setup/afterwards.ts';
import { prepare } from '../setup/prepare.ts';
import { variableOf } from '../setup/variables.ts';
import { pushChanged, type Tagged } from './changed-image.ts';
import { type Cost, measure, medianOf } from './measure.ts';
import { Landfall, type Rival, Skopeo } from './rivals.ts';
import { formatComparison } from './table.ts';

const rounds = 3;

/** Runs the programs alternately in one process, because the speed of the machine drifts. */
async function compare(): Promise<void> {
  const afterwards = new Afterwards();
  try {
    const variables = await prepare(['benchRegistry', 'skopeo'], afterwards);
    const registry = variables[variableOf('benchRegistry')];
    if (!registry || !variables[variableOf('skopeo')]) {
      throw new Error(
        'the benchmark needs docker-registry and skopeo; the reason is printed above',
      );
    }
    const folder = await mkdtemp(join(tmpdir(), 'landfall-bench-'));
    afterwards.add(() => rm(folder, { recursive: true }));
    console.log(await runIn(folder, registry, await servePlugin(afterwards)));
  } finally {
    await afterwards.run();
  }
}

async function runIn(folder: string, registry: string, plugin: string): Promise<string> {
  const images: Tagged[] = benchImages.map(({ repository, tag }) => ({ repository, tag }));
  const landfall = new Landfall(join(folder, 'landfall'), registry, plugin);
  await landfall.prepare(images);
  const rivals: Rival[] = [landfall, new Skopeo(folder, registry)];
  const costs = new Map<string, Cost[]>();
  const note = (step: string, rival: string, cost: Cost) => {
    const key = `${step}\t${rival}`;
    costs.set(key, [...(costs.get(key) ?? []), cost]);
    console.log(`  ${step}, ${rival}: ${cost.wall.toFixed(2)} s`);
  };
  for (let round = 0; round < rounds; round += 1) {
    for (const image of images.filter(isChanging)) await pushChanged(registry, image, 'changed');
    for (const rival of rivals) {
      await rival.reset();
      note(
        'cold',
        rival.name,
        await measure(await rival.command(images), join(folder, 'landfall')),
      );
      note(
        'warm',
        rival.name,
        await measure(await rival.command(images), join(folder, 'landfall')),
      );
      note(
        'one changed layer',
        rival.name,
        await measure(await rival.command(withChanged(images)), join(folder, 'landfall')),
      );
    }
    note(
      'verify',
      'landfall verify',
      await measure(landfall.verification(), join(folder, 'landfall')),
    );
    note('verify', 'sha256sum', await measure(['sha256sum', landfall.bundle()], folder));
  }
  const { size } = await stat(landfall.bundle());
  const medians = new Map([...costs].map(([key, list]) => [key, medianOf(list)] as const));
  return formatComparison(medians, size, rounds);
}

function withChanged(images: readonly Tagged[]): Tagged[] {
  return images.map((image) => (isChanging(image) ? { ...image, tag: 'changed' } : image));
}

function isChanging({ repository }: Tagged): boolean {
  return repository === 'lobehub/lobe-chat';
}

/** A small stand-in for the Compose plugin: the comparison is about images. */
async function servePlugin(afterwards: Afterwards): Promise<string> {
  const bytes = Buffer.alloc(100_000, 'docker-compose');
  const server = createServer((_request, response) => response.end(bytes));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards.add(async () => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/docker-compose`;
}

await compare();
