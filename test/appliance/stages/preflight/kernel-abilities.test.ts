import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { checkKernel } from '../../../../appliance/stages/preflight/kernel-abilities.ts';
import { contextFor } from '../../context.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

async function judge(answers: Answers, container?: string) {
  const host = TemporaryHost.with({}, { unshare: '', ...answers });
  return { host, problems: await checkKernel(contextFor(host, { server: { container } })) };
}

describe('a kernel with the features that containers need', () => {
  it('accepts a kernel with the features that containers need, also in a container', async () => {
    expect((await judge({}, 'docker')).problems).toEqual([]);
    expect((await judge({ unshare: 'unexpected output' })).problems).toEqual([]);
  });
});

describe('a kernel without these features', () => {
  it('reports all missing features in one problem', async () => {
    const { problems } = await judge({ unshare: 'overlay\nnftables\n' }, 'lxc');
    expect(problems).toEqual([
      {
        message:
          'the container (lxc) does not support what containers need: overlay file systems, packet filtering with nftables',
        hint: expect.stringContaining('nesting'),
      },
    ]);
  });

  it('rejects a kernel without namespaces', async () => {
    const { problems } = await judge({ unshare: 1 });
    expect(problems).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/^the kernel does not support .* namespaces/),
      }),
    ]);
  });

  it('rejects OpenVZ without a test', async () => {
    const { host, problems } = await judge({}, 'openvz');
    expect(problems).toHaveLength(1);
    expect(host.ran).toEqual([]);
  });
});

describe('the test script', () => {
  /** Runs the script with tools that fail as given. */
  async function run(failing: string[]): Promise<string[]> {
    const { host } = await judge({});
    const script = host.ran[0]?.split(' sh -c ')[1] ?? '';
    const stubs = ['mount', 'ip', 'nft', 'mkdir', 'grep'].map(
      (tool) => `${tool}() { return ${failing.includes(tool) ? 1 : 0}; }`,
    );
    const { stdout } = spawnSync('sh', ['-c', `${stubs.join('\n')}\n${script}`], {
      encoding: 'utf8',
    });
    return stdout.split('\n').filter((name) => name !== '');
  }

  it('prints nothing if everything works', async () => {
    expect(await run([])).toEqual([]);
  });

  it.each([
    ['mount', ['mounts', 'overlay']],
    ['ip', ['bridges', 'veth']],
    ['nft', ['nftables']],
    ['grep', ['cgroups']],
  ])('prints the failed features of %s', async (tool, lines) => {
    expect(await run([tool])).toEqual(lines);
  });
});
