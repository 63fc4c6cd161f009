import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { benchImages } from '../images/bench-images.ts';
import { Afterwards } from '../setup/afterwards.ts';
import { prepare } from '../setup/prepare.ts';
import { variableOf } from '../setup/variables.ts';
import { pushChanged, type Tagged } from './changed-image.ts';
import { unpackPackage } from './package.ts';
import { Hauler } from './rivals/hauler.ts';
import { Landfall } from './rivals/landfall.ts';
import { Skopeo } from './rivals/skopeo.ts';
import { Steps } from './steps.ts';
import { formatComparison } from './table.ts';

const rounds = 5;

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
  const program = await unpackPackage(join(folder, 'npm'));
  const workFolder = join(folder, 'landfall');
  const landfall = new Landfall({ folder: workFolder, program, registry, plugin });
  await landfall.prepare(images);
  const others = (await isInPath('hauler')) ? [new Hauler(folder, registry)] : [];
  const rivals = [landfall, new Skopeo(folder, registry), ...others];
  const steps = new Steps(workFolder, { landfall, rivals });
  for (let round = 0; round < rounds; round += 1) {
    for (const image of images.filter(isChanging)) await pushChanged(registry, image, 'changed');
    await steps.round(images, withChanged(images));
  }
  return formatComparison(steps.medians(), await steps.bundleSize(), rounds);
}

async function isInPath(program: string): Promise<boolean> {
  return !(await execa(program, ['version'], { reject: false, stdin: 'ignore' })).failed;
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
