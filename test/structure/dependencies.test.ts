import { describe, expect, it } from 'vitest';
import { stageNames } from '../../appliance/server/stage/stage.ts';
import { importsOf, sourcesBelow, textOf } from './sources.ts';

const builder = sourcesBelow('builder');
const appliance = sourcesBelow('appliance');
const shared = appliance.filter((path) => path.startsWith('appliance/shared/'));

const moveShared = 'move the code that both folders need to a folder further left';

describe('the shared room, whose code runs on computers and on servers', () => {
  /** Sorted by dependency; a folder imports only from layers to its left. */
  const layers: ReadonlyArray<readonly string[]> = [
    ['platform'],
    ['contract'],
    ['files'],
    ['terminal'],
    ['http', 'cli'],
    ['proxy-settings', 'yaml', 'smoke'],
    ['explain'],
    ['proxies', 'probe'],
    ['editor'],
  ];

  it('imports nothing else of the project', () => {
    const outside = shared.flatMap((path) =>
      importsOf(path)
        .filter((target) => /^(?:builder|appliance)\/(?!shared\/)/.test(target))
        .map((target) => `${path} imports ${target}`),
    );
    expect(outside).toEqual([]);
  });

  it('imports from one side to the other, folder by folder', () => {
    expect(backwards(shared, 'appliance/shared', layers), moveShared).toEqual([]);
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
      .flatMap((target) => /^(appliance\/(?!shared\/)[^/]+)\//.exec(target)?.[1] ?? []);
    expect([...new Set(folders)].sort()).toEqual([
      'appliance/server/certificates',
      'appliance/server/host',
      'appliance/server/ollama',
      'appliance/stages/secrets',
      'appliance/stages/stack',
    ]);
  });
});

describe('the folders of the builder', () => {
  /** Sorted by dependency; a folder imports only from folders to its left. */
  const order = [
    'files',
    'licenses',
    'progress',
    'blobs',
    'registry',
    'sources',
    'models',
    'sign',
    'config',
    'compose',
    'lock',
    'assemble',
    'bundle',
    'resign',
    'notice',
    'sbom',
    'user-data',
    'packaged',
    'hosting',
    'channel',
    'ssh',
    'delivery',
    'diff',
    'reproduce',
    'init',
    'quickstart',
    'preview',
    'commands',
    'package',
    'release',
    'action',
  ];

  /** Files directly in the builder can be imported from any folder. */
  const leaves = [
    'builder/base/platform.ts',
    'builder/bundle/bootstrap-files.ts',
    'builder/base/version.ts',
    'builder/bundle/build-context.ts',
    'builder/build.ts',
    'builder/bundle/plan-release.ts',
    'builder/bundle/release-inputs.ts',
  ];

  it('lists all folders of the builder in the import order', () => {
    const folders = new Set(
      builder.map((path) => path.split('/')[1] ?? '').filter((name) => !/\.ts$/.test(name)),
    );
    expect(
      [...folders].sort(),
      'add the folder to `order`, after all folders that it imports',
    ).toEqual([...order].sort());
  });

  it('import only from their left', () => {
    const backwards = builder.flatMap((path) => {
      const [, folder = ''] = path.split('/');
      const rank = order.indexOf(folder);
      if (rank === -1) return [];
      return importsOf(path)
        .filter((target) => target.startsWith('builder/') && !leaves.includes(target))
        .filter((target) => order.indexOf(target.split('/')[1] ?? '') > rank)
        .map((target) => `${path} imports ${target}`);
    });
    expect(backwards, moveShared).toEqual([]);
  });
});

describe('the folders of the appliance', () => {
  /**
   * Sorted by dependency. A folder imports only from layers to its left; folders of one layer do
   * not import each other, so that each stage can be read alone, except the `public.ts` of a stage. A
   * folder belongs to the first layer that names it: `secrets` and `stack` come before the other
   * stages, which import them.
   */
  const layers: ReadonlyArray<readonly string[]> = [
    ['shared'],
    ['host'],
    ['ollama', 'alerts', 'chats'],
    ['stage'],
    ['update'],
    ['backup'],
    ['progress'],
    ['certificates', 'secrets', 'swarm'],
    ['stack'],
    ['balancer'],
    [...stageNames, 'relay'],
    ['transaction'],
    ['restore'],
    ['doctor'],
    ['commands'],
  ];
  const folderOf = (path: string) => /^appliance\/([^/]+)\//.exec(path)?.[1];

  it('assigns all folders of the appliance to a layer', () => {
    const folders = new Set(appliance.map(folderOf).filter((folder) => folder !== undefined));
    const missing = [...folders].filter((folder) => !layers.flat().includes(folder));
    expect(missing, 'add the folder to `layers`, after all folders that it imports').toEqual([]);
  });

  it('import only from layers to their left, and only public.ts of another stage', () => {
    const wrong = backwards(appliance, 'appliance', layers).filter(
      (line) => !stageNames.some((name) => line.endsWith(` imports appliance/${name}/public.ts`)),
    );
    expect(wrong, moveShared).toEqual([]);
  });

  it('do not import each other in a circle', () => {
    const imported = Map.groupBy(
      appliance.flatMap((path) => importsOf(path).map((target) => ({ path, target }))),
      ({ path }) => folderOf(path),
    );
    const open = new Map(
      [...imported].flatMap(([folder, links]) => {
        const others = links.map(({ target }) => folderOf(target)).filter((to) => to !== folder);
        return folder === undefined ? [] : [[folder, new Set(others)] as const];
      }),
    );
    for (let before = -1; before !== open.size; ) {
      before = open.size;
      for (const [folder, others] of open) {
        if (![...others].some((other) => other !== undefined && open.has(other)))
          open.delete(folder);
      }
    }
    expect([...open.keys()]).toEqual([]);
  });

  it('keep the list of stages in the commands only', () => {
    const knowing = appliance
      .filter((path) => folderOf(path) !== undefined && folderOf(path) !== 'commands')
      .flatMap((path) =>
        importsOf(path)
          .filter((target) => /^appliance\/[^/]+\.ts$/.test(target))
          .map((target) => `${path} imports ${target}`),
      );
    expect(knowing, 'pass the stages as an argument, from appliance/commands').toEqual([]);
  });
});

describe('a file', () => {
  const files = [...builder, ...appliance];

  it('limits every file to 250 lines', () => {
    const long = files.filter((path) => textOf(path).split('\n').length > 251);
    expect(long, 'split the file by topic').toEqual([]);
  });

  it("throws only the project's error class", () => {
    const classes = files.filter((path) => /class \w+ extends Error/.test(textOf(path)));
    expect(classes, 'throw LandfallError with a code').toEqual([
      'appliance/shared/contract/errors.ts',
    ]);
  });
});

/** Lists the imports below a folder that lead from a layer to one of the same rank or to its right. */
function backwards(
  paths: readonly string[],
  folder: string,
  layers: ReadonlyArray<readonly string[]>,
): string[] {
  const nameOf = (path: string) =>
    path.startsWith(`${folder}/`)
      ? /^([^/]+)\//.exec(path.slice(folder.length + 1))?.[1]
      : undefined;
  const rankOf = (name: string) => layers.findIndex((layer) => layer.includes(name));
  return paths.flatMap((path) => {
    const name = nameOf(path);
    if (name === undefined) return [];
    return importsOf(path)
      .map((target) => ({ target, other: nameOf(target) }))
      .filter(({ other }) => other !== undefined && other !== name)
      .filter(({ other = '' }) => rankOf(other) >= rankOf(name) || rankOf(name) === -1)
      .map(({ target }) => `${path} imports ${target}`);
  });
}
