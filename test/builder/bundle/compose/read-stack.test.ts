import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serviceNames } from '#contract/component-names.ts';
import { LandfallError } from '#contract/errors.ts';
import { readStack } from '../../../../builder/bundle/compose/read-stack.ts';

const shipped = fileURLToPath(new URL('../../../../compose', import.meta.url));
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-compose-'));
  await put(
    'compose.yaml',
    "services:\n  ui: { image: 'landfall.local/ui:${UI_TAG}', pull_policy: never }\n",
  );
});
afterEach(() => rm(folder, { recursive: true }));

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

async function refusal(): Promise<LandfallError> {
  const error = await readStack(folder, ['ui']).then(
    () => expect.unreachable('it was accepted'),
    (reason: unknown) => reason,
  );
  if (error instanceof LandfallError) return error;
  throw error;
}

describe('the folder of a stack', () => {
  it('contains the stack of Landfall', async () => {
    const { files, services } = await readStack(shipped, serviceNames);
    expect([...services.keys()].sort()).toEqual([...serviceNames].sort());
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['compose.yaml', 'engine/gpu-nvidia.yaml', 'gateway/nginx.conf']),
    );
  });

  it('hints at the setting for the folder of a stack if compose.yaml is missing', async () => {
    await rm(join(folder, 'compose.yaml'));
    const { code, hint } = await refusal();
    expect(code).toBe('CONFIG_MISSING');
    expect(hint).toContain('Set `compose` in appliance.yaml');
    expect(hint).not.toContain('landfall init');
  });

  it('hints at the appliance for the stack of Landfall', async () => {
    const error: unknown = await readStack(shipped, ['engine', 'ui', 'gateway']).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({
      code: 'COMPOSE_INVALID',
      message: expect.stringMatching(/components .* are missing .*: .*chat, lobe/),
      hint: expect.stringContaining('Add them to `components` in appliance.yaml'),
      problems: [],
    });
  });

  it('rejects the folder of a stack for a component that the appliance lacks', async () => {
    await put(
      'compose.yaml',
      "services:\n  db: { image: 'landfall.local/db:${DB_TAG}', pull_policy: never }\n",
    );
    expect((await refusal()).problems).toMatchObject([
      {
        message: 'db runs db, which the appliance does not have',
        hint: 'Add db to `components` in appliance.yaml, or use one of: ui.',
      },
    ]);
  });

  it('reads the folder of a stack without documentation', async () => {
    await put('ui/README.md', '# ui\n');
    await put('ui/settings.json', '{}\n');
    const { files } = await readStack(folder, ['ui']);
    expect(files.map(({ path }) => path)).toEqual(['compose.yaml', 'ui/settings.json']);
  });

  it('checks the folder of a stack including override files', async () => {
    await put('ui/debug.yaml', 'services:\n  ui:\n    privileged: true\n');
    const { code, problems } = await refusal();
    expect(code).toBe('COMPOSE_INVALID');
    expect(problems).toMatchObject([
      { message: 'ui is privileged', file: join(folder, 'ui/debug.yaml'), line: 3 },
    ]);
  });

  it('rejects the folder of a stack for an override of an unknown service', async () => {
    await put('start-interval.yaml', 'services:\n  ui: {}\n  lobe: { cpus: 1 }\n');
    expect((await refusal()).problems).toMatchObject([
      { message: 'lobe is not in compose.yaml', line: 3 },
    ]);
  });

  it('rejects the folder of a stack for an override with an invalid form', async () => {
    await put('ui/debug.yml', 'services:\n  ui: { ports: 80 }\n');
    expect((await refusal()).problems[0]?.file).toBe(join(folder, 'ui/debug.yml'));
  });

  it('rejects the folder of a stack for a symbolic link', async () => {
    await symlink('/etc/passwd', join(folder, 'passwd'));
    expect((await refusal()).message).toContain('the link passwd');
  });

  it('rejects the folder of a stack for a large file', async () => {
    await put('ui/model.bin', 'x'.repeat(1024 * 1024 + 1));
    expect((await refusal()).message).toContain('ui/model.bin');
  });
});
