/**
 * Documentation packages of Debian 12 with at least 150 HTML files, by the part that they had in the choice of constants and by
 * the program that made the pages.
 *
 * *Drawn*: of the packages with names as of documentation, of more than 4,000 kB installed and less than 20 MB packed, the first 160 by the
 * MD5 sum of their names; those with too few pages, and
 * versions and translations of webs below, are left out. Nobody looked at them before the constants were fixed.
 * *Held out*: large webs that had no part in a choice. *Tuned on*: all others.
 */
type Part = 'drawn' | 'held out' | 'tuned on'

const packages: Readonly<Record<Part, Readonly<Record<string, string>>>> = {
  drawn: {
    docbook: 'nted-doc',
    doxygen:
      'angelscript-doc awl-doc coinor-libcgl-doc dcmtk-doc geographiclib-doc gsoap-doc guitarix-doc libarm-compute-doc libavogadro-doc libcamera-doc libclipper-doc libdbus-c++-doc libdecaf-doc libdigidoc-doc libgecode-doc libgeos-doc libgudhi-doc libgwenhywfar-doc liblog4cplus-doc liblog4shib-doc liblucene++-doc libmdds-doc libmed-doc libomp-16-doc libopengv-doc libopenmesh-doc libosmogsm-doc libpappsomspp-doc libpwiz-doc libqpid-proton-cpp12-dev-doc libqwt-doc librobottestingframework-doc libsdl2-doc libtss2-doc libviennacl-doc raritan-json-rpc-doc toulbar2-doc uhd-doc waylandpp-doc',
    'gtk-doc': 'evolution-data-server-doc libgtk2.0-doc',
    haddock:
      'libghc-agda-doc libghc-lambdahack-doc libghc-openglraw-doc libghc-pandoc-doc libghc-propellor-doc libghc-taffybar-doc libghc-yi-core-doc',
    javadoc:
      'adql-java-doc bsh-doc fop-doc ivy-doc jython-doc libbiojava6-java-doc libcommons-jxpath-java-doc libcommons-math-java-doc libfits-java-doc libhessian-java-doc libjava3d-java-doc libjboss-logmanager-java-doc libjets3t-java-doc libjgoodies-looks-java-doc libjibx1.2-java-doc libmina-java-doc libmockobjects-java-doc libosgi-compendium-java-doc libpicard-java-doc libpixelmed-java-doc libsnpeff-java-doc libtrove3-java-doc libwala-java-doc libxalan2-java-doc uima-doc',
    'natural-docs': 'augeas-doc',
    ocamldoc: 'libbatteries-ocaml-doc',
    own: 'crystal-doc drgeo-doc libslicot-doc rt4-doc-html',
    qdoc: 'qtlocation5-doc-html',
    sphinx:
      'cdist-doc diskimage-builder-doc fontforge-doc freezer-doc lemonldap-ng-doc manila-doc python-kombu-doc',
  },
  'held out': {
    doxygen: 'opencv-doc',
    fpdoc: 'fp-docs-3.2.2 lazarus-doc-2.2',
    javadoc: 'openjdk-17-doc',
    own: 'rust-doc',
    petsc: 'petsc3.18-doc',
  },
  'tuned on': {
    boost: 'libboost1.74-doc libboost1.81-doc',
    docbook: 'debian-handbook gimp-help-en postgresql-doc-15',
    doxygen:
      'fltk1.3-doc gnuradio-doc libapr1-dev libdune-common-doc libeigen3-doc libgtkmm-3.0-doc libhdf5-doc libpcl-doc libsfml-doc libstdc++-12-doc libsvn-doc netcdf-doc ogre-1.12-doc wx3.2-doc',
    'gtk-doc': 'libglib2.0-doc libgtk-3-doc libpango1.0-doc libsoup-3.0-doc libwebkit2gtk-4.0-doc',
    javadoc: 'ant-doc antlr4-doc groovy-doc libcommons-lang3-java-doc libjfreechart-java-doc',
    own: 'apache2-doc erlang-doc gap-doc ghc-doc git-doc grass-doc mpich-doc qtbase5-doc-html racket-doc scala-doc sqlite3-doc swi-prolog-doc vim-doc xen-doc',
    petsc: 'slepc3.18-doc',
    sphinx:
      'cmake-doc dpdk-doc krb5-doc linux-doc-6.1 llvm-14-doc python-astropy-doc python-django-doc python-pandas-doc python-pyqtgraph-doc python-scipy-doc python-sklearn-doc python-sqlalchemy-doc python-statsmodels-doc python-sympy-doc python3.11-doc sagemath-doc',
    texinfo: 'asymptote-doc gnuplot-doc lilypond-doc-html maxima-doc octave-doc zsh-doc',
  },
}

export const documentation: readonly {
  readonly name: string
  readonly maker: string
  readonly part: Part
}[] = Object.entries(packages).flatMap(([part, byMaker]) =>
  Object.entries(byMaker).flatMap(([maker, names]) =>
    names.split(' ').map((name) => ({ name, maker, part: part as Part })),
  ),
)
