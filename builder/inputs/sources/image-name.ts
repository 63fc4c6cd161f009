import { LandfallError } from '#contract/errors.ts';
import { isDigest } from '#contract/trust/digest.ts';
import { familiar, type ImageReference, parseReference } from '../registry/reference.ts';

/** The source of an image, parsed from its name in `appliance.yaml`. */
type ImageName =
  | { readonly transport: 'registry'; readonly reference: ImageReference }
  /** The name or ID of an image in a Docker daemon. */
  | { readonly transport: 'docker-daemon'; readonly name: string }
  /** An OCI image layout: a folder, or a tar file of it. The path is verbatim. */
  | {
      readonly transport: 'layout' | 'oci-archive';
      readonly path: string;
      readonly tag: string | undefined;
    }
  /** An archive of `docker save`. */
  | {
      readonly transport: 'docker-archive';
      readonly path: string;
      readonly reference: ImageReference | undefined;
    };

/**
 * Parses an image name with the transports of skopeo and podman: `docker://` (or none) for a
 * registry, `docker-daemon:`, `oci:`, `oci-archive:` and `docker-archive:`. A path ends at the
 * first colon.
 * @throws LandfallError CONFIG_INVALID
 */
export function parseImageName(text: string): ImageName {
  const [, transport, rest = ''] = /^(docker-daemon|docker-archive|oci-archive|oci):(.*)$/s.exec(
    text,
  ) ?? [text];
  switch (transport) {
    case 'docker-daemon':
      return { transport, name: isDigest(rest) ? rest : familiar(parseReference(rest)) };
    case 'docker-archive': {
      const { path, name } = splitPath(text, rest);
      return { transport, path, reference: name === undefined ? undefined : parseReference(name) };
    }
    case 'oci-archive':
    case 'oci': {
      const { path, name: tag } = splitPath(text, rest);
      return { transport: transport === 'oci' ? 'layout' : transport, path, tag };
    }
    default:
      return { transport: 'registry', reference: parseReference(text.replace(/^docker:\/\//, '')) };
  }
}

function splitPath(text: string, rest: string) {
  const colon = rest.indexOf(':');
  const path = colon === -1 ? rest : rest.slice(0, colon);
  const name = colon === -1 ? undefined : rest.slice(colon + 1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are rejected
  if (path === '' || name === '' || /[\u0000-\u001f]/.test(rest)) {
    throw new LandfallError('CONFIG_INVALID', `${JSON.stringify(text)} does not name a file`, {
      hint: 'Use oci:folder, oci-archive:file.tar:name or docker-archive:file.tar:name:tag.',
    });
  }
  return { path, name };
}
