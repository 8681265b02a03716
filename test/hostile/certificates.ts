/** Keys and certificates for servers on the loopback, made by openssl: by themselves, or by an authority of our own. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** `20200101000000Z`: from when and until when a certificate counts. */
export type Span = readonly [from: string, until: string]

export const now: Span = ['20200101000000Z', '20490101000000Z']
export const past: Span = ['20200101000000Z', '20210101000000Z']
export const future: Span = ['20480101000000Z', '20490101000000Z']

export interface KeyAndCertificate {
  readonly key: Buffer
  readonly cert: Buffer
}

const config = `[req]
distinguished_name = name
[name]
[ca]
default_ca = this
[this]
database = index
serial = serial
new_certs_dir = .
default_md = sha256
default_crl_days = 30
policy = any
unique_subject = no
x509_extensions = extensions
[any]
commonName = supplied
[root]
basicConstraints = critical,CA:TRUE
[extensions]
subjectAltName = @names
[names]
`

/** A key and a certificate signed by itself, for these names and this time. */
export function certificate(names: string, span: Span): KeyAndCertificate {
  const authority = new Authority()
  try {
    return authority.issue(names, span, 'self')
  } finally {
    authority.close()
  }
}

/** Signs certificates, and takes them back. */
export class Authority {
  readonly #folder = mkdtempSync(join(tmpdir(), 'rankward-certificate-'))

  constructor() {
    writeFileSync(join(this.#folder, 'index'), '')
    writeFileSync(join(this.#folder, 'serial'), '01')
    writeFileSync(join(this.#folder, 'config'), config)
    this.#openssl('ecparam -name prime256v1 -genkey -noout -out root-key')
    this.#openssl(
      'req -x509 -new -config config -extensions root -key root-key -days 30 -subj /CN=root -out root-cert',
    )
  }

  /** The file that whoever trusts it is given. */
  get rootPath(): string {
    return join(this.#folder, 'root-cert')
  }

  issue(names: string, [from, until]: Span, by: 'root' | 'self' = 'root'): KeyAndCertificate {
    writeFileSync(join(this.#folder, 'config'), config + names)
    this.#openssl('ecparam -name prime256v1 -genkey -noout -out key')
    this.#openssl('req -new -config config -key key -subj /CN=test -out request')
    const signed = by === 'self' ? '-selfsign -keyfile key' : '-keyfile root-key -cert root-cert'
    this.#openssl(
      `ca ${signed} -batch -config config -in request -out cert -notext -startdate ${from} -enddate ${until}`,
    )
    return { key: this.#read('key'), cert: this.#read('cert') }
  }

  /** Takes the certificate back that was issued last; gives the list that says so. */
  revoke(): string {
    this.#openssl('ca -config config -keyfile root-key -cert root-cert -revoke cert')
    this.#openssl('ca -config config -keyfile root-key -cert root-cert -gencrl -out list')
    this.#openssl('crl -in list -noout -text -out list-text')
    return this.#read('list-text').toString()
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #openssl(line: string): void {
    execFileSync('openssl', line.split(' '), { cwd: this.#folder, stdio: 'ignore' })
  }

  #read(name: string): Buffer {
    return readFileSync(join(this.#folder, name))
  }
}
