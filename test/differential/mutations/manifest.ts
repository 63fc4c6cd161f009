import type { Draft, Mutations } from '../draft.ts';
import { Random } from '../random.ts';

type Container = Record<string, unknown> | unknown[];

const oddTexts = [
  ...['', ' ', '/', '.', '..', '../x', '/etc/passwd', 'a/../b', 'a//b', './a', 'a/', '-x', 'a\\b'],
  ...['a\0b', 'a\nb', 'b\u00e4', '\ud800', 'x'.repeat(100), 'x'.repeat(101), '__proto__', 'null'],
  ...['release.json', 'RELEASE.JSON', 'SHA256SUMS', 'runtime/node', 'Runtime/node.tgz', 'arm64'],
  ...[
    '1.2.0',
    '01.2.0',
    'full',
    'amd64',
    '0'.repeat(64),
    'F'.repeat(64),
    `sha256:${'0'.repeat(64)}`,
  ],
];
const oddNumbers = [0, 1, -1, 0.5, 512, 8 ** 11, 2 ** 31, 2 ** 53, 1e300];
const oddValues: readonly unknown[] = [null, true, false, [], {}, '', 0, ...oddNumbers];

/** Every position in a value, as its container and key. */
function placesIn(value: unknown): Array<{ container: Container; key: string | number }> {
  if (typeof value !== 'object' || value === null) return [];
  const container = value as Container;
  const keys = Array.isArray(container) ? [...container.keys()] : Object.keys(container);
  return keys.flatMap((key) => [
    { container, key },
    ...placesIn((container as Record<string | number, unknown>)[key]),
  ]);
}

/** Returns the value with one position changed, slightly or completely. */
function changedValue(value: unknown, random: Random): unknown {
  if (random.oneIn(6)) return random.pick(oddValues);
  if (typeof value === 'number') {
    return random.pick([value + 1, value - 1, -value, value * 8, `${value}`, ...oddNumbers]);
  }
  if (typeof value === 'boolean') return random.pick([!value, 'yes', 0, 1]);
  if (typeof value === 'string') {
    const near = [`${value} `, ` ${value}`, `${value}\n`, value.slice(1), value.toUpperCase()];
    return random.pick([...near, ...near, `${value}0`, `../${value}`, `./${value}`, ...oddTexts]);
  }
  if (Array.isArray(value)) {
    return random.pick([[], [...value, ...value], value.toReversed(), value.slice(1)]);
  }
  return random.pick(oddValues);
}

/** Files must stay a list of objects, because the simulator generates SHA256SUMS from them. */
function isForSimulator(release: unknown, { container, key }: ReturnType<typeof placesIn>[number]) {
  const { files } = release as { files?: unknown };
  return container === files || (container === release && key === 'files');
}

function editPlace(
  { ofRelease }: Draft,
  random: Random,
  edit: (container: Record<string | number, unknown>, key: string | number) => void,
): void {
  const turn = random.below(2 ** 30);
  ofRelease.push((release) => {
    const places = placesIn(release).filter((place) => !isForSimulator(release, place));
    const place = places[turn % places.length];
    if (place) edit(place.container as Record<string | number, unknown>, place.key);
  });
}

const text =
  (edit: (manifest: string) => string): Mutations[string] =>
  ({ ofManifest }) => {
    ofManifest.push((bytes) => Buffer.from(edit(bytes.toString())));
  };

/** Manifests that the holder of a key could sign, by mistake or on purpose. */
export const manifestMutations: Mutations = {
  'a changed value': (draft, random) => {
    const own = random.below(2 ** 30);
    editPlace(draft, random, (container, key) => {
      container[key] = changedValue(container[key], new Random(own));
    });
  },
  'a changed field of a file': ({ ofRelease }, random) => {
    const [turn, own] = [random.below(100), random.below(2 ** 30)];
    const field = random.pick(['path', 'size', 'sha256', 'offset', 'executable']);
    ofRelease.push((release) => {
      const { files } = release as { files: Array<Record<string, unknown>> };
      const file = files[turn % files.length];
      if (file) file[field] = changedValue(file[field], new Random(own));
    });
  },
  'a removed field': (draft, random) => {
    editPlace(draft, random, (container, key) => {
      if (Array.isArray(container)) container.splice(Number(key), 1);
      else delete container[key];
    });
  },
  'an added field': (draft, random) => {
    const [name, value] = [random.pick(['x', 'mode', '__proto__', 'path']), random.pick(oddValues)];
    editPlace(draft, random, (container) => {
      if (!Array.isArray(container)) Object.defineProperty(container, name, property(value));
    });
  },
  'a path changed in the manifest and in its header': (draft, random) => {
    const path = random.pick([...oddTexts, 'compose/COMPOSE.yaml', 'images', 'a/b/c/d/e/f/g/h']);
    const at = random.below(draft.files.length);
    draft.files = draft.files.map((file, index) => (index === at ? { ...file, path } : file));
  },
  'a file made executable': (draft, random) => {
    const at = random.below(draft.files.length);
    draft.files = draft.files.map((file, index) =>
      index === at ? { ...file, executable: !file.executable } : file,
    );
  },
  'an added file': (draft, random) => {
    const path = random.pick(['x', 'images/blob', 'runtime/node', 'models/sha256/x', ...oddTexts]);
    const content = random.bytes(random.below(700));
    const at = random.below(draft.files.length + 1);
    draft.files = draft.files.toSpliced(at, 0, { path, content, executable: random.oneIn(3) });
  },
  'files in another order': (draft, random) => {
    const at = random.below(draft.files.length);
    draft.files = [...draft.files.slice(at), ...draft.files.slice(0, at)];
  },
  'a removed file': (draft, random) => {
    draft.files = draft.files.toSpliced(random.below(draft.files.length), 1);
  },
  'a field twice': text((manifest) => manifest.replace('  "arch"', '  "version": "9",\n  "arch"')),
  'another order of fields': text((manifest) =>
    manifest.replace(/( {2}"schema": .*\n)( {2}"product": .*\n)/, '$2$1'),
  ),
  'all on one line': text((manifest) => manifest.replaceAll(/\n */g, '')),
  'spaces at the end': text((manifest) => `${manifest} \n`),
  'no line break at the end': text((manifest) => manifest.trimEnd()),
  'carriage returns': text((manifest) => manifest.replaceAll('\n', '\r\n')),
  'a byte order mark': text((manifest) => `\ufeff${manifest}`),
  'an escaped letter': text((manifest) => manifest.replace('landfall', '\\u006candfall')),
  'a number with an exponent': text((manifest) => manifest.replace('"size": 13', '"size": 1.3e1')),
  'a number with a fraction of zero': text((manifest) =>
    manifest.replace('"size": 13', '"size": 13.0'),
  ),
  'a byte that is not UTF-8': ({ ofManifest }, random) => {
    const turn = random.below(2 ** 30);
    ofManifest.push((bytes) => {
      const changed = Buffer.from(bytes);
      changed[turn % changed.length] = 0xff;
      return changed;
    });
  },
};

function property(value: unknown): PropertyDescriptor {
  return { value, enumerable: true, configurable: true, writable: true };
}
