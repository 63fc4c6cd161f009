import { createServer } from 'node:https';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';
import { ObjectStore } from '../../stand-ins/object-store/object-store.ts';
import type { Cloud } from './cloud.ts';

const host = 's3.example.com';
const bucket = 'bucket';

/** An object store of the cloud, over TLS. A server trusts it with `ca: bucket.ca` in its site. */
export class Bucket {
  /** The bucket does not exist yet. */
  readonly store = new ObjectStore({ bucket, exists: false });
  /** PEM of the certificate authority. */
  readonly ca: string;
  /** Settings of a target in a site. */
  readonly target = { kind: 's3', url: `https://${host}/${bucket}/landfall` } as const;

  private constructor(ca: string) {
    this.ca = ca;
  }

  /** Starts it at port 443 of the gateway, until the cloud is closed. */
  static async open({ network, names }: Cloud): Promise<Bucket> {
    const authority = new CertificateAuthority('Landfall test bucket');
    const opened = new Bucket(authority.cert);
    const certificate = authority.issue({ names: [host] });
    await network.serve(createServer(certificate, opened.store.answer), 443);
    names.set(host, { v4: network.gateway.v4 });
    return opened;
  }
}
