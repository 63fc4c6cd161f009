import { benchImages } from '../../images/bench-images.ts';
import { buildImages } from '../../images/build.ts';
import { referenceStack } from '../../images/reference-stack.ts';
import { baseLayer, type StandIn } from '../../images/stand-in.ts';
import { cached } from '../cached.ts';
import { findDebianMirror } from '../debian/debian-mirror.ts';
import { legoBuild } from '../go/lego.ts';
import type { Say } from '../say.ts';
import { llamaPackage } from './llama.ts';
import { standInPrograms } from './stand-in-programs.ts';

/** Images in an OCI layout, for a push to a registry. */
export interface Images {
  /** Folder of the layout. */
  readonly layout: string;
  readonly images: readonly StandIn[];
}

/** An image that only the builder reads: only newer Docker versions unpack zstd. */
const compressedWithZstd: StandIn = {
  registry: 'docker.io',
  repository: 'landfall/zstd',
  tag: '1',
  architectures: ['amd64'],
  format: 'oci',
  layers: [baseLayer, { packages: ['tzdata'], compression: 'zstd' }],
  config: { Cmd: ['true'] },
};

/** Paths of programs that are not in Debian: llama.cpp as a native module of Node, and lego. */
interface TestPrograms {
  readonly llama: string;
  /** Undefined: the image of lego exists, but without the program. */
  readonly lego: string | undefined;
}

/**
 * Returns the images of the tests, with the programs of this tree; builds them the first time.
 * @throws Unmet
 */
export async function provideTestImages(
  cache: string,
  { llama, lego }: TestPrograms,
  say: Say,
): Promise<Images> {
  const stack = referenceStack({
    ...(await standInPrograms()),
    node: { source: process.execPath, identity: process.version },
    llama: { source: llama, identity: llamaPackage.integrity },
    lego: lego === undefined ? undefined : { source: lego, identity: JSON.stringify(legoBuild) },
  });
  const name = lego === undefined ? 'images' : 'images-with-lego';
  return await provideImages(cache, name, [...stack, compressedWithZstd], say);
}

/**
 * Returns the large images of the benchmark; builds them the first time.
 * @throws Unmet
 */
export async function provideBenchImages(cache: string, say: Say): Promise<Images> {
  return await provideImages(cache, 'bench-images', benchImages, say);
}

async function provideImages(
  cache: string,
  name: string,
  images: readonly StandIn[],
  say: Say,
): Promise<Images> {
  const layout = await cached(cache, name, images, async (folder) => {
    say(name, 'built from Debian packages; layers are cached');
    await buildImages(folder, images, { cache, mirror: findDebianMirror });
  });
  return { layout, images };
}
