import { describe, expect, it } from 'vitest';
import { stageNames } from '../../appliance/stage/stage.ts';
import { importsOf, sourcesBelow, textOf } from './sources.ts';

const builder = sourcesBelow('builder');
const appliance = sourcesBelow('appliance');
const contract = appliance.filter((path) => path.startsWith('appliance/shared/contract/'));

const moveShared = 'move the code that both folders need to a folder further left';

describe('the contract', () => {
  it('imports the platform, and neither the builder nor the rest of the appliance', () => {
    const outside = contract.flatMap((path) =>
      importsOf(path)
        .filter((target) => /^(builder|appliance)\//.test(target))
        .filter((target) => !/^appliance\/(contract|platform)\//.test(target))
        .map((target) => `${path} imports ${target}`),
    );
    expect(outside).toEqual([]);
  });

  it('needs few external packages, because it runs on servers', () => {
    const packages = contract
      .flatMap(importsOf)
      .filter((target) => !/^(appliance\/|node:)/.test(target));
    expect([...new Set(packages)].sort()).toEqual(['semver', 'zod']);
  });
});

describe('the platform, which hides the differences between Node and browsers', () => {
  const platform = appliance.filter((path) => path.startsWith('appliance/shared/platform/'));
  const namesOf = (side: string) =>
    platform
      .filter((path) => path.startsWith(`appliance/shared/platform/${side}/`))
      .map((path) => path.slice(`appliance/shared/platform/${side}/`.length));

  it('imports nothing else of the project', () => {
    const outside = platform
      .flatMap(importsOf)
      .filter((target) => /^(builder|appliance)\/(?!platform\/)/.test(target));
    expect(outside).toEqual([]);
  });

  it('has the same files for both sides', () => {
    expect(namesOf('node').sort()).toEqual(namesOf('browser').sort());
    expect(namesOf('node').length).toBeGreaterThan(0);
  });
});

describe('the HTTP client, which both sides use', () => {
  it('imports only the contract and the platform', () => {
    const inside = appliance
      .filter((path) => path.startsWith('appliance/shared/http/'))
      .flatMap(importsOf)
      .filter((target) => /^(builder|appliance)\//.test(target))
      .filter((target) => !/^appliance\/(contract|http|platform)\//.test(target));
    expect(inside).toEqual([]);
  });
});

describe('file writing, which both sides use', () => {
  it('imports nothing else of the project', () => {
    const inside = appliance
      .filter((path) => path.startsWith('appliance/shared/files/'))
      .flatMap(importsOf)
      .filter((target) => /^(builder|appliance)\/(?!files\/)/.test(target));
    expect(inside).toEqual([]);
  });
});

describe('the terminal code, which both sides use', () => {
  it('imports only the contract', () => {
    const inside = appliance
      .filter((path) => path.startsWith('appliance/shared/terminal/'))
      .flatMap(importsOf)
      .filter((target) => /^(builder|appliance)\/(?!contract\/|terminal\/)/.test(target));
    expect(inside).toEqual([]);
  });

  it('is the only code that moves the cursor or sets colours', () => {
    const drawing = [...builder, ...appliance].filter((path) =>
      /\\x1b\[|\bstyleText\b/.test(textOf(path)),
    );
    expect(drawing.sort()).toEqual([
      'appliance/shared/terminal/live-rows.ts',
      'appliance/shared/terminal/paint-for.ts',
    ]);
  });
});

describe('the proxy settings, which both sides render', () => {
  it('import only the contract, the platform, the HTTP client and the terminal code', () => {
    const inside = appliance
      .filter((path) => path.startsWith('appliance/shared/proxy-settings/'))
      .flatMap(importsOf)
      .filter((target) => /^(builder|appliance)\//.test(target))
      .filter(
        (target) => !/^appliance\/(contract|http|platform|proxy-settings|terminal)\//.test(target),
      );
    expect(inside).toEqual([]);
  });
});

describe('the smoke tests, which also run on a client', () => {
  it('need nothing of the server except its site', () => {
    const inside = appliance
      .filter((path) => /^appliance\/smoke\/(?!server\/)/.test(path))
      .flatMap(importsOf)
      .filter((target) => /^(builder|appliance)\//.test(target))
      .filter((target) => !/^appliance\/(contract|smoke)\/(?!server\/)/.test(target));
    expect(inside).toEqual([]);
  });
});

describe('the settings of code editors, which both sides change', () => {
  it('need nothing of the server', () => {
    const inside = appliance
      .filter((path) => path.startsWith('appliance/shared/editor/'))
      .flatMap(importsOf)
      .filter((target) => /^(builder|appliance)\//.test(target))
      .filter((target) => !/^appliance\/(contract|editor|files|http|terminal)\//.test(target));
    expect(inside).toEqual([]);
  });
});

describe('the probe, which also runs on a client', () => {
  it('imports only the contract, the HTTP client, the platform and the terminal code', () => {
    const inside = appliance
      .filter((path) => path.startsWith('appliance/shared/probe/'))
      .flatMap(importsOf)
      .filter((target) => /^(builder|appliance)\//.test(target))
      .filter((target) => !/^appliance\/(contract|http|platform|probe|terminal)\//.test(target));
    expect(inside).toEqual([]);
  });
});

describe('the parser of YAML, which both sides use', () => {
  it('imports only the contract', () => {
    const inside = appliance
      .filter((path) => path.startsWith('appliance/shared/yaml/'))
      .flatMap(importsOf)
      .filter((target) => /^(builder|appliance)\/(?!contract\/|yaml\/)/.test(target));
    expect(inside).toEqual([]);
  });
});

describe('the explanation of configuration errors, which both sides use', () => {
  it('imports only the contract and the parser of YAML', () => {
    const inside = appliance
      .filter((path) => path.startsWith('appliance/shared/explain/'))
      .flatMap(importsOf)
      .filter((target) => /^(builder|appliance)\/(?!contract\/|explain\/|yaml\/)/.test(target));
    expect(inside).toEqual([]);
  });
});

describe('the import of proxies, which also runs on a client', () => {
  it('needs nothing of the server', () => {
    const inside = appliance
      .filter((path) => path.startsWith('appliance/shared/proxies/'))
      .flatMap(importsOf)
      .filter((target) => /^(builder|appliance)\//.test(target))
      .filter((target) => !/^appliance\/(contract|files|http|proxies|yaml)\//.test(target));
    expect(inside).toEqual([]);
  });
});

describe('builder and appliance', () => {
  it('share only the platform, the contract, the command line, the explanation of configuration errors, file writing, the HTTP client, the settings of editors and proxies, the import of proxies, the parser of YAML, the preview, the probe, the smoke tests and the terminal code', () => {
    const builderInside = builder
      .filter((path) => !path.startsWith('builder/delivery/'))
      .flatMap(importsOf)
      .filter((target) =>
        /^appliance\/(?!cli\/|contract\/|editor\/|explain\/|files\/|http\/|platform\/|preview\/|probe\/|proxies\/|proxy-settings\/|terminal\/|yaml\/|smoke\/(?!server\/))/.test(
          target,
        ),
      );
    const applianceInside = appliance
      .flatMap(importsOf)
      .filter((target) => target.startsWith('builder/'));
    expect([...builderInside, ...applianceInside]).toEqual([]);
  });

  it('share the checks of preflight too, which a computer runs on a server over SSH', () => {
    const used = builder
      .filter((path) => path.startsWith('builder/delivery/'))
      .flatMap(importsOf)
      .filter((target) => target.startsWith('appliance/'))
      .filter((target) => !/^appliance\/(contract|explain|host|terminal)\//.test(target));
    expect([...new Set(used)]).toEqual(['appliance/preflight/check-from-outside.ts']);
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
    'ssh',
    'delivery',
    'diff',
    'reproduce',
    'init',
    'quickstart',
    'preview',
    'actions',
    'commands',
    'package',
    'release',
    'action',
  ];

  /** Files directly in the builder can be imported from any folder. */
  const leaves = [
    'builder/platform.ts',
    'builder/bootstrap-files.ts',
    'builder/version.ts',
    'builder/build-context.ts',
    'builder/build.ts',
    'builder/plan-release.ts',
    'builder/release-inputs.ts',
  ];

  it('are all in the list', () => {
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
   * not import each other, so that each stage can be read alone. A folder belongs to the first layer
   * that names it: `secrets` and `stack` come before the other stages, which import them.
   */
  const layers: ReadonlyArray<readonly string[]> = [
    ['platform'],
    ['contract', 'files'],
    ['terminal'],
    ['http', 'cli'],
    ['proxy-settings', 'yaml'],
    ['explain'],
    ['proxies'],
    ['host', 'probe'],
    ['ollama', 'alerts'],
    ['stage'],
    ['progress'],
    ['certificates', 'secrets'],
    ['stack'],
    [...stageNames, 'relay', 'editor', 'preview'],
    ['doctor'],
    ['commands'],
  ];
  const rankOf = (folder: string) => layers.findIndex((layer) => layer.includes(folder));
  const folderOf = (path: string) => /^appliance\/([^/]+)\//.exec(path)?.[1];

  it('are all in a layer', () => {
    const folders = new Set(appliance.map(folderOf).filter((folder) => folder !== undefined));
    const missing = [...folders].filter((folder) => rankOf(folder) === -1);
    expect(missing, 'add the folder to `layers`, after all folders that it imports').toEqual([]);
  });

  it('import only from layers to their left', () => {
    const backwards = appliance.flatMap((path) => {
      const folder = folderOf(path);
      if (folder === undefined || rankOf(folder) === -1) return [];
      return importsOf(path)
        .filter((target) => folderOf(target) !== undefined && folderOf(target) !== folder)
        .filter((target) => rankOf(folderOf(target) ?? '') >= rankOf(folder))
        .map((target) => `${path} imports ${target}`);
    });
    expect(backwards, moveShared).toEqual([]);
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

  it('has at most 250 lines', () => {
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
