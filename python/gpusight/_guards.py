# SPDX-License-Identifier: Apache-2.0
"""Which interpreters are left alone: those that cannot load the module, those that another Python's
environment leaked into, and those that do not train (installers, launchers, viewers, compilers).
Pure functions of what is passed in. Next: _start.py."""

# Programs, by the name of their script or the module after -m, without ".py" and version.
PROGRAMS = frozenset("""
    pip pipx ensurepip easy_install virtualenv venv poetry pdm hatch uv conda mamba twine build tox nox
    pre-commit setup setuptools pip-compile pip-sync
    tensorboard jupyter jupyter-lab jupyter-notebook jupyter-server jupyterhub jupyterlab notebook
    jupyter_server jupyter_core jupyter_client
    torchrun torch-model-archiver accelerate accelerate-launch deepspeed ds ds_report horovodrun fleetrun
    wandb mlflow dvc aim clearml-agent huggingface-cli hf transformers-cli kaggle gdown
    aws gcloud gsutil az ansible ansible-playbook supervisord supervisorctl
    black ruff flake8 pylint mypy pyright isort yapf autopep8 cython cythonize f2py meson ninja cmake ctest
    scons gpustat nvitop nvidia-ml-py pydoc idle compileall py_compile zipfile tarfile sysconfig
    http.server json.tool site
    torch.distributed.run torch.distributed.launch torch.utils.collect_env
    torch._inductor.compile_worker accelerate.commands.launch accelerate.commands.accelerate_cli
    deepspeed.launcher.runner deepspeed.launcher.launch paddle.distributed.launch
    paddle.distributed.fleet.launch
""".split())
# Ends of paths of scripts that frameworks start as helpers.
SCRIPTS = ("torch/_inductor/compile_worker/__main__.py", "torch/distributed/run.py",
           "torch/distributed/launch.py", "paddle/distributed/launch/main.py",
           "deepspeed/launcher/launch.py", "accelerate/commands/launch.py")
# Beginnings of code after -c.
CODES = ("from multiprocessing.resource_tracker import", "from multiprocessing.semaphore_tracker import")
WITH_VALUE = "WX"


def What(argv):
    """("script" | "module" | "code" | "", its value), from the interpreter's own command line."""
    i = 1
    while i < len(argv):
        word = argv[i]
        if word == "--check-hash-based-pycs":
            i += 2
            continue
        if word.startswith("--") and len(word) > 2:
            i += 1
            continue
        if not word.startswith("-") or word == "-":
            return "script", word
        for at, letter in enumerate(word[1:], 2):
            rest = word[at:] or (argv[i + 1] if i + 1 < len(argv) else "")
            if letter == "m":
                return "module", rest
            if letter == "c":
                return "code", rest
            if letter in WITH_VALUE:
                if not word[at:]:
                    i += 1
                break
        i += 1
    return "", ""


def Plain(path):
    """The name of a program: "pip3.11" and "/usr/bin/pip" are pip."""
    name = path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    if name.endswith(".py"):
        name = name[:-3]
    return name.rstrip("0123456789.-") or name


def IsHelper(argv):
    """Whether this is a child of multiprocessing: a trainer, or a worker that only reads data."""
    kind, value = What(argv)
    return ("--multiprocessing-fork" in argv
            or kind == "code" and value.startswith(("from multiprocessing.forkserver import",
                                                    "from multiprocessing.spawn import"))
            or kind == "module" and value.startswith("joblib.externals.loky"))


def Trains(argv):
    """Why not: a sentence, or "" when it may."""
    kind, value = What(argv)
    if kind == "code" and value.lstrip().startswith(CODES):
        return "a helper of multiprocessing"
    if kind == "script":
        parts = value.replace("\\", "/").split("/")
        name = parts[-2] if parts[-1] == "__main__.py" and len(parts) > 1 else parts[-1]
        # Somebody's build.py may well train; a console script has no ".py".
        named = not name.endswith(".py") and (Plain(name) in PROGRAMS or name in PROGRAMS)
        if named or name == "setup.py" or value.endswith(SCRIPTS):
            return "%s does not train" % name
    if kind == "module":
        if value in PROGRAMS or Plain(value.split(".", 1)[0]) in PROGRAMS:
            return "%s does not train" % value
    return ""


def Reason(environ, argv, implementation, version, abiflags, prefix):
    """Why nothing is done in this interpreter: a sentence, or "" when all is well."""
    if environ.get("GPUSIGHT") == "0":
        return "GPUSIGHT=0"
    if implementation != "cpython" or not (3, 9) <= tuple(version[:2]) < (4, 0):
        return "%s %d.%d is not supported" % (implementation, version[0], version[1])
    if "t" in abiflags:
        return "the free-threaded build is not supported"
    wanted = environ.get("GPUSIGHT_PYTHON_PREFIX")
    if wanted and wanted != prefix:
        return "meant for the Python of %s" % wanted
    return Trains(argv)
