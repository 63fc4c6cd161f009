import { sha256Hex } from '#contract/trust/digest.ts';
import type { BootstrapFile } from '../../bundle/bootstrap-files.ts';
import type { PinnedRelease } from '../../bundle/released/pinned-release.ts';
import { pathOfScript } from '../user-data/server-file.ts';
import { fileAt, type ReadContent, type ReadFile } from './content.ts';
import type { Finding } from './finding.ts';

/** An embedded script. `released`: its digest is that of the verified release. */
export interface ComparedScript {
  readonly name: string;
  /** 64 hex digits; undefined if user-data does not write it, or if it cannot be decoded. */
  readonly sha256: string | undefined;
  readonly state: 'released' | 'changed' | 'not-compared' | 'missing';
}

interface Comparison {
  readonly scripts: readonly ComparedScript[];
  /** The scripts to render: those of the release as far as their text is known. */
  readonly expected: readonly BootstrapFile[];
  /** Paths of changed scripts whose released text is unknown. */
  readonly unknown: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

/**
 * Compares the scripts of user-data with the digests of a verified release.
 * @param own the scripts of this version of Landfall
 */
export function compareScripts(
  content: ReadContent,
  own: readonly BootstrapFile[],
  releases: readonly PinnedRelease[],
): Comparison {
  const compared = own.map((script) => compareScript(script, content, releases));
  return {
    scripts: compared.map(({ script }) => script),
    expected: compared.map(({ expected }) => expected),
    unknown: new Set(compared.flatMap(({ findings }) => findings.map(({ subject }) => subject))),
    findings: compared.flatMap(({ findings }) => findings),
  };
}

function compareScript(
  own: BootstrapFile,
  content: ReadContent,
  releases: readonly PinnedRelease[],
) {
  const { name } = own;
  const file = fileAt(content, `/${pathOfScript(name)}`);
  const sha256 = file?.content === undefined ? undefined : sha256Hex(file.content);
  const result = (state: ComparedScript['state'], expected = own, findings: Finding[] = []) => ({
    ...{ script: { name, sha256, state }, expected, findings },
  });
  if (!file) return result('missing');
  const released = new Set(
    releases.map(({ release }) => release.bootstrap?.find((each) => each.name === name)?.sha256),
  );
  const [digest, ...others] = released;
  if (digest === undefined || others.length > 0) return result('not-compared');
  if (sha256 === digest && file.content !== undefined) {
    return result('released', { name, content: file.content, sha256 });
  }
  const isOwn = own.sha256 === digest;
  return result('changed', own, isOwn ? [] : [withoutLine(file, digest)]);
}

/** The text of the release is in the version of Landfall that built it. */
function withoutLine({ path, lines }: ReadFile, digest: string): Finding {
  return {
    ...{ kind: 'script', subject: path, line: lines.first, covers: lines },
    text: {
      en: `${path} is not the script of the release, whose SHA-256 is ${digest}; to see its first differing line, use the Landfall version that built the release`,
      zh: `${path} 不是该版本的脚本（SHA-256 为 ${digest}）；要查看第一处不同的行，请使用构建该版本的 Landfall`,
    },
  };
}
