import type { Afterwards } from '../setup/afterwards.ts';
import { prepare } from '../setup/prepare.ts';
import { type NeedName, variableOf } from '../setup/variables.ts';
import { Surroundings } from '../vm/surroundings.ts';
import { TrueServer } from '../vm/true-server.ts';

type Prepared = Readonly<Record<string, string>>;

/**
 * Prepares the Debian 13 server of `npm run test:vm`, which is built from the packages of this
 * machine's mirror. Must be run as root.
 */
export function prepareLocalServer(afterwards: Afterwards): Promise<Prepared> {
  return prepare(['qemu', 'trueHost', 'accelerator', 'packageCache'], afterwards);
}

/**
 * Starts such a server.
 * @throws Error when a dependency is unavailable; the output has the reason
 */
export async function startLocalServer(
  prepared: Prepared,
  afterwards: Afterwards,
  { folder, userData }: { folder: string; userData: Buffer },
): Promise<TrueServer> {
  const value = (name: NeedName): string => {
    const found = prepared[variableOf(name)];
    if (found) return found;
    throw new Error(`${name} is unavailable on this machine; see above`);
  };
  const surroundings = await Surroundings.open(value('packageCache'));
  afterwards.add(() => surroundings.close());
  const server = await TrueServer.create({
    folder,
    name: 'box',
    userData,
    aptSettings: surroundings.aptSettings,
    qemu: value('qemu'),
    image: value('trueHost'),
    accelerator: value('accelerator') === 'kvm' ? 'kvm' : 'tcg',
    disk: 40,
    memory: 8192,
  });
  await server.powerOn();
  return server;
}
