import { expect, it } from 'vitest';
import { spaceIn } from '../../../../appliance/operations/backup/target-space.ts';

it('reads what df of sftp prints', () => {
  const printed = `sftp> df /tmp
        Size         Used        Avail       (root)    %Capacity
   264212084     49287880     46213384    214924204          18%`;
  expect(spaceIn(printed)).toEqual({ free: 46213384 * 1024, size: 264212084 * 1024 });
});

it('knows no space of a server that does not support the question', () => {
  expect(spaceIn('Server does not support statvfs@openssh.com extension')).toBeNull();
});
