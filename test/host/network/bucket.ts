import { createServer } from 'node:https';
import type { BackupTarget } from '#contract/site/backup/targets.ts';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';
import { ObjectStore, storeKey } from '../../stand-ins/object-store/object-store.ts';
import type { Cloud } from './cloud.ts';

const host = 's3.example.com';
const bucket = 'bucket';
const url = `https://${host}/${bucket}/landfall`;

/** An object store of the cloud, over TLS. A server trusts it with `ca: bucket.ca` in its site. */
export class Bucket {
  readonly store: ObjectStore;
  /** PEM of the certificate authority. */
  readonly ca: string;
  /** Settings of a target in a site. */
  readonly target: Extract<BackupTarget, { kind: 's3' }>;

  private constructor(ca: string, isVirtualHost: boolean) {
    this.ca = ca;
    // restic creates a missing bucket, but with the bucket in the path always.
    this.store = isVirtualHost
      ? new ObjectStore({ bucket, virtualHost: host })
      : new ObjectStore({ bucket, exists: false });
    const addressing = isVirtualHost ? { virtual_host: true, region: storeKey.region } : {};
    this.target = { kind: 's3', url, ...addressing };
  }

  /**
   * Starts it at port 443 of the gateway, until the cloud is closed.
   * @param isVirtualHost whether it exists and refuses requests with the bucket in the path; otherwise it does
   *   not exist yet
   */
  static async open({ network, names }: Cloud, isVirtualHost: boolean): Promise<Bucket> {
    const authority = new CertificateAuthority('Landfall test bucket');
    const opened = new Bucket(authority.cert, isVirtualHost);
    const hosts = [host, `${bucket}.${host}`];
    const certificate = authority.issue({ names: hosts });
    await network.serve(createServer(certificate, opened.store.answer), 443);
    for (const each of hosts) names.set(each, { v4: network.gateway.v4 });
    return opened;
  }
}
