import { describe, expect, it } from 'vitest';
import type { RunningStack } from './running-stack.ts';
import { waiting } from './waiting.ts';

/** State and recovery of the containers. */
export function containers(stack: () => RunningStack): void {
  describe('once it is up', () => {
    it('starts Ollama before the UI, and the gateway after it (SPEC 3.3)', async () => {
      const started = await Promise.all(
        (['engine', 'ui', 'gateway'] as const).map((name) => stack().rig.startedAt(name)),
      );
      expect(started).toEqual(started.toSorted());
    });

    it('restarts a killed container (SPEC 3.3)', async () => {
      const before = await stack().rig.engine.getContainer('landfall-lobe').inspect();
      process.kill(before.State.Pid, 'SIGKILL');
      await expect
        .poll(async () => {
          const { State } = await stack().rig.engine.getContainer('landfall-lobe').inspect();
          return State.Running && State.Pid !== before.State.Pid;
        }, waiting)
        .toBe(true);
      await expect
        .poll(async () => (await stack().ask('https://lobe.example.com/')).status, waiting)
        .toBe(200);
    });

    it('drops privileges of every container', async () => {
      for (const { Id } of await stack().rig.engine.listContainers()) {
        const { HostConfig, Name } = await stack().rig.engine.getContainer(Id).inspect();
        expect(HostConfig.CapDrop, Name).toEqual(['ALL']);
        expect(HostConfig.CapAdd ?? [], Name).toEqual([]);
        expect(HostConfig.SecurityOpt, Name).toContain('no-new-privileges:true');
        expect(HostConfig.Memory, Name).toBeGreaterThan(0);
        expect(HostConfig.PidsLimit, Name).toBeGreaterThan(0);
        if (Name !== '/landfall-ui') expect(HostConfig.ReadonlyRootfs, Name).toBe(true);
        for (const bind of HostConfig.Binds ?? []) expect(bind).not.toContain('docker.sock');
      }
    });

    it('runs the certificate client on demand only', async () => {
      const names = (await stack().rig.engine.listContainers({ all: true })).flatMap(
        ({ Names }) => Names,
      );
      expect(names.filter((name) => name.includes('acme'))).toEqual([]);
    });

    it('restarts only the component whose files changed', async () => {
      const parts = ['engine', 'ui', 'chat', 'lobe', 'relay', 'tinyproxy', 'gateway'] as const;
      const started = async () =>
        Object.fromEntries(
          await Promise.all(
            parts.map(async (name) => [name, await stack().rig.startedAt(name)] as const),
          ),
        );
      const before = await started();
      await stack().setSecret('TINYPROXY_PASSWORD', 'another-password');
      await stack().rig.compose('up', '--detach', '--wait', '--wait-timeout', '120');
      const after = await started();
      expect(parts.filter((name) => after[name] !== before[name])).toEqual(['tinyproxy']);
    });

    it("shows no secret in Docker's API, in logs or in the list of processes", async () => {
      const seen = await stack().rig.everythingDockerShows();
      expect(seen.length).toBeGreaterThan(10_000);
      for (const [name, value] of Object.entries(stack().secrets)) {
        expect(seen.includes(value), name).toBe(false);
      }
    });
  });
}
