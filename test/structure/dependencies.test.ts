import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stageNames } from '../../appliance/server/stage/stage.ts';
import { importsOf, root, sourcesBelow, textOf } from './sources.ts';

const builder = sourcesBelow('builder');
const appliance = sourcesBelow('appliance');
const shared = appliance.filter((path) => path.startsWith('appliance/shared/'));

const moveShared = 'move the code that both rooms need to a lower floor';

describe('the shared room, whose code runs on computers and on servers', () => {
  it('imports nothing else of the project', () => {
    const outside = shared.flatMap((path) =>
      importsOf(path)
        .filter((target) => /^(?:builder|appliance)\/(?!shared\/)/.test(target))
        .map((target) => `${path} imports ${target}`),
    );
    expect(outside).toEqual([]);
  });

  it('needs few external packages for the contract, because it runs in pages and on servers', () => {
    const packages = shared
      .filter((path) => path.startsWith('appliance/shared/contract/'))
      .flatMap(importsOf)
      .filter((target) => !/^(appliance\/|node:)/.test(target));
    expect([...new Set(packages)].sort()).toEqual(['semver', 'zod']);
  });

  it('keeps the same files of the platform for Node and for browsers', () => {
    const namesOf = (side: string) =>
      sourcesBelow(`appliance/shared/platform/${side}`).map((path) => path.split('/').at(-1));
    expect(namesOf('node').sort()).toEqual(namesOf('browser').sort());
    expect(namesOf('node').length).toBeGreaterThan(0);
  });

  it('moves the cursor and sets colours in two files only', () => {
    const drawing = [...builder, ...appliance].filter((path) =>
      /\\x1b\[|\bstyleText\b/.test(textOf(path)),
    );
    expect(drawing.sort()).toEqual([
      'appliance/shared/terminal/live-rows.ts',
      'appliance/shared/terminal/paint-for.ts',
    ]);
  });
});

describe('builder and appliance', () => {
  it('share only the shared room, and what reads a server over SSH', () => {
    const builderInside = builder
      .filter((path) => !path.startsWith('builder/commands/preview/'))
      .flatMap(importsOf)
      .filter((target) => /^appliance\/(?!shared\/)/.test(target));
    expect([...new Set(builderInside)].sort()).toEqual([
      'appliance/server/host/files.ts',
      'appliance/server/host/host.ts',
      'appliance/server/host/run/command.ts',
      'appliance/server/host/server.ts',
      'appliance/stages/preflight/check-from-outside.ts',
    ]);
    const applianceInside = appliance
      .flatMap(importsOf)
      .filter((target) => target.startsWith('builder/'));
    expect(applianceInside).toEqual([]);
  });

  it('let the preview render the stack as a server does, without the code that changes a server', () => {
    const folders = builder
      .filter((path) => path.startsWith('builder/commands/preview/'))
      .flatMap(importsOf)
      .flatMap((target) => /^(appliance\/(?!shared\/)[^/]+\/[^/]+)\//.exec(target)?.[1] ?? []);
    expect([...new Set(folders)].sort()).toEqual([
      'appliance/server/certificates',
      'appliance/server/host',
      'appliance/server/ollama',
      'appliance/stages/secrets',
      'appliance/stages/stack',
    ]);
  });
});

/**
 * The rooms of a folder by floors: a room imports only from floors to its left, and rooms of one floor do not
 * import each other. A stage may import the `public.ts` of another stage. Files directly in a folder
 * belong to no room.
 */
const floors: Readonly<Record<string, ReadonlyArray<readonly string[]>>> = {
  appliance: [
    ['shared', 'bootstrap'],
    ...[['server'], ['relay'], ['nodes'], ['stages'], ['operations'], ['commands']],
  ],
  'appliance/shared': [
    ...[['platform'], ['contract'], ['files'], ['terminal'], ['http', 'cli']],
    ...[['proxy-settings', 'yaml', 'smoke'], ['explain']],
    ...[['proxies', 'probe', 'clients'], ['editor']],
  ],
  'appliance/server': [
    ['host'],
    ['conditions'],
    ['access', 'ollama', 'alerts', 'chats', 'records', 'timers'],
    ['stage', 'certificates'],
    ['progress'],
  ],
  'appliance/nodes': [['swarm'], ['balancer']],
  // `secrets` and `stack` come first, because the other stages import them.
  'appliance/stages': [
    ['secrets'],
    ['stack'],
    stageNames.filter((name) => name !== 'secrets' && name !== 'stack'),
  ],
  'appliance/operations': [['transactions', 'update', 'backup'], ['driver', 'restore'], ['doctor']],
  builder: [
    ['base'],
    ['inputs'],
    ['bundle'],
    ['deliver'],
    ['page'],
    ['commands'],
    ['bin'],
    ['publish'],
  ],
  'builder/base': [['files', 'progress', 'chinese']],
  'builder/inputs': [
    ['licenses', 'blobs'],
    ['registry'],
    ['sources'],
    ['models'],
    ['config'],
    ['lock'],
  ],
  'builder/bundle': [
    ['sign', 'compose', 'assemble'],
    ['archive'],
    ['released', 'notice', 'resign'],
    ['sbom', 'diff', 'reproduce'],
  ],
  'builder/deliver': [
    ['user-data', 'ssh'],
    ['explain', 'packaged', 'hosting', 'install'],
    ['channel'],
  ],
  'builder/page': [['app']],
  'builder/publish': [['package', 'action', 'dns-providers'], ['release']],
};

describe('the folders of builder and appliance', () => {
  it.each(Object.entries(floors))('lists all rooms of %s', (folder, layers) => {
    const rooms = new Set([...builder, ...appliance].flatMap((path) => roomOf(folder, path) ?? []));
    const listed = layers.flat().filter((room) => room !== 'bootstrap');
    expect([...rooms].sort(), 'add the room above all rooms that it imports').toEqual(
      listed.sort(),
    );
  });

  it.each(Object.entries(floors))('imports only from lower floors of %s', (folder, layers) => {
    const wrong = backwards([...builder, ...appliance], folder, layers).filter(
      (line) =>
        !stageNames.some((name) => line.endsWith(` imports appliance/stages/${name}/public.ts`)),
    );
    expect(wrong, moveShared).toEqual([]);
  });

  it('do not import each other in a circle, stage by stage', () => {
    const folder = 'appliance/stages';
    const imported = Map.groupBy(
      appliance.flatMap((path) => importsOf(path).map((target) => ({ path, target }))),
      ({ path }) => roomOf(folder, path),
    );
    const open = new Map(
      [...imported].flatMap(([room, links]) => {
        if (room === undefined) return [];
        const others = links.map(({ target }) => roomOf(folder, target));
        return [[room, new Set(others.filter((to) => to !== room))] as const];
      }),
    );
    for (let before = -1; before !== open.size; ) {
      before = open.size;
      for (const [room, others] of open) {
        if (![...others].some((other) => other !== undefined && open.has(other))) open.delete(room);
      }
    }
    expect([...open.keys()]).toEqual([]);
  });

  it('keep the list of stages in the commands only', () => {
    const knowing = appliance
      .filter((path) => roomOf('appliance', path) !== 'commands')
      .filter((path) => roomOf('appliance/stages', path) !== undefined || !/\/stages\//.test(path))
      .flatMap((path) =>
        importsOf(path)
          .filter((target) => /^appliance\/stages\/[^/]+\.ts$/.test(target))
          .map((target) => `${path} imports ${target}`),
      );
    expect(knowing, 'pass the stages as an argument, from appliance/commands').toEqual([]);
  });

  it.each(['appliance', 'builder'])('show at most nine entries in %s', (folder) => {
    const entries = readdirSync(join(root, folder)).filter((name) => name !== 'prebuilt');
    expect(entries.length, 'put it into one of the rooms').toBeLessThanOrEqual(9);
  });
});

describe('a file', () => {
  const files = [...builder, ...appliance];

  it('limits every file to 250 lines', () => {
    const long = files.filter((path) => textOf(path).split('\n').length > 251);
    expect(long, 'split the file by topic').toEqual([]);
  });

  // Regression: the first command of the README looked for appliance.yaml beside itself.
  it('names files of the project from its root, or from the folder of the appliance', () => {
    const named = files.flatMap((path) =>
      [...textOf(path).matchAll(/new URL\(`((?:\.\.\/)+)\$\{\w+\}`, import\.meta\.url\)/g)].map(
        ([, up = '']) => `${path}: ${join(dirname(path), up)}`,
      ),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((line) => !/: (?:\.|appliance)\/$/.test(line))).toEqual([]);
  });

  it("throws only the project's error class", () => {
    const classes = files.filter((path) => /class \w+ extends Error/.test(textOf(path)));
    expect(classes, 'throw LandfallError with a code').toEqual([
      'appliance/shared/contract/errors.ts',
    ]);
  });
});

/** Returns the room of a folder that a file is in; undefined if it is outside or directly in the folder. */
function roomOf(folder: string, path: string): string | undefined {
  if (!path.startsWith(`${folder}/`)) return undefined;
  return /^([^/]+)\//.exec(path.slice(folder.length + 1))?.[1];
}

/** Lists the imports below a folder that lead from a room to one of the same floor or to its right. */
function backwards(
  paths: readonly string[],
  folder: string,
  layers: ReadonlyArray<readonly string[]>,
): string[] {
  const rankOf = (name: string) => layers.findIndex((layer) => layer.includes(name));
  return paths.flatMap((path) => {
    const name = roomOf(folder, path);
    if (name === undefined) return [];
    return importsOf(path)
      .map((target) => ({ target, other: roomOf(folder, target) }))
      .filter(({ other }) => other !== undefined && other !== name)
      .filter(({ other = '' }) => rankOf(other) >= rankOf(name) || rankOf(name) === -1)
      .map(({ target }) => `${path} imports ${target}`);
  });
}
