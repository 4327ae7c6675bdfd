"""The private names of other libraries that this package uses: their documentation promises none of them.

An upgrade that renames one, or gives it other arguments, can leave everything running and quietly doing the wrong
thing; `tests/test_private_names.py` then says which one it was, and what it breaks. It also finds private names in our
code that this register lacks.

Each table is {"module:name(arguments)", or "module": what goes wrong when that name changes}.
"""

# Names of ipykernel and IPython that the student kernel's classes override or call.
IPYKERNEL = {
    "ipykernel.iostream:OutStream._flush_buffers(self)": (
        "a long print becomes one message, which is larger than the coordinator accepts"
    ),
    "ipykernel.iostream:OutStream._watch_pipe_fd(self)": "output of programs comes below the wrong cell",
    "ipykernel.iostream:OutStream._is_master_process(self)": "a process that student code forks reads our pipe",
    "ipykernel.iostream:OutStream._fid": "output of programs comes below the wrong cell",
    "ipykernel.iostream:OutStream._should_watch": "a closed descriptor 1 makes a thread that never rests",
    "ipykernel.iostream:OutStream.write(self, string)": "prints and the output of programs change places",
    "ipykernel.iostream:OutStream.flush(self)": "each cell waits for a flush of nothing",
    "ipykernel.iostream:IOPubThread.__init__(self, socket, pipe, session)": "the kernel makes a TCP socket, and dies",
    "ipykernel.debugger:_is_debugpy_available": "the warm server imports a debugger, 150 modules for nothing",
    "ipykernel.heartbeat:Heartbeat.__init__(self, context, addr, curve_publickey, curve_secretkey)": (
        "the heartbeat does not start"
    ),
    "ipykernel.heartbeat:Heartbeat._bind_socket(self)": "the heartbeat makes a socket, and the sandbox ends the kernel",
    "ipykernel.heartbeat:Heartbeat._try_bind_socket(self)": "the heartbeat does not start",
    "ipykernel.ipkernel:IPythonKernel.do_execute"
    "(self, code, silent, store_history, user_expressions, allow_stdin, cell_meta, cell_id)": (
        "a timer of a cell goes off in a test, and probes lack the names of the setup cells"
    ),
    "ipykernel.ipkernel:IPythonKernel.do_shutdown(self, restart)": (
        "a cell that asks for a restart ends the kernel, and its names with it"
    ),
    "IPython.core.interactiveshell:InteractiveShell.run_code(self, code_obj, result, async_)": (
        "it is unknown at which statement a cell stopped, so the definitions above it are lost"
    ),
    "IPython.core.interactiveshell:InteractiveShell.transform_cell(self, raw_cell)": (
        "each cell is searched for IPython's own syntax twice"
    ),
    "IPython.core.interactiveshell:InteractiveShell.transform_ast(self, node)": (
        "an import that fails ends its cell, and only the definitions after it still run"
    ),
    "IPython.core.interactiveshell:InteractiveShell.run_line_magic(self, magic_name, line, _stack_depth)": (
        "a magic of a package that the grader lacks ends its cell, or looks for names in the wrong frame"
    ),
    "IPython.core.interactiveshell:InteractiveShell.should_run_async"
    "(self, raw_cell, transformed_cell, preprocessing_exc_tuple)": "each cell is compiled once more",
    "ipykernel.zmqshell:ZMQInteractiveShell.ask_exit(self)": "a cell with `quit()` ends the kernel",
    "IPython.core.interactiveshell:InteractiveShell.system_piped(self, cmd)": "`!` lines have no output",
    "ipykernel.zmqshell:ZMQInteractiveShell.system": "`!` lines have no output",
    "IPython.core.interactiveshell:InteractiveShell.last_execution_result": (
        "a full disk that a cell has met counts as its own fault"
    ),
    "ipykernel.kernelbase:Kernel._publish_status(self, status, channel, parent)": (
        "each request wakes the coordinator once more than it has to"
    ),
    "ipykernel.kernelbase:Kernel._publish_execute_input(self, code, parent, execution_count)": (
        "each cell is sent back to the coordinator, which does not look at it"
    ),
    "ipykernel.ipkernel:IPythonKernel._execute_sleep": "each cell takes 10 ms more",
    "ipykernel.ipkernel:IPythonKernel.record_ports(self, ports)": "the kernel cannot say which ports it has",
    "ipykernel.ipkernel:IPythonKernel.shell_class": "the kernel runs without our shell: `!` lines have no output",
    "ipykernel.ipkernel:IPythonKernel.compiler_class": "making a cell's file name takes as long as running it",
    "ipykernel.kernelapp:IPKernelApp.kernel_class": "there is nobody to answer the examiner",
    "ipykernel.kernelapp:IPKernelApp.outstream_class": "output of programs comes below the wrong cell",
    "ipykernel.kernelapp:IPKernelApp.init_pdb(self)": "the warm server prepares too little",
    "ipykernel.kernelapp:IPKernelApp.init_shell(self)": "the warm server prepares too little",
    "ipykernel.kernelapp:IPKernelApp.init_gui_pylab(self)": "the warm server prepares too little",
    "ipykernel.kernelapp:IPKernelApp.init_extensions(self)": "the warm server prepares too little",
    "ipykernel.kernelapp:IPKernelApp.init_code(self)": "the warm server prepares too little",
    "ipykernel.kernelapp:IPKernelApp.init_sockets(self)": "channels are not opened on the sockets that listen",
    "ipykernel.kernelapp:IPKernelApp.init_heartbeat(self)": "the heartbeat does not start",
    "ipykernel.kernelapp:IPKernelApp.init_io(self)": "nothing that a cell prints arrives",
    "ipykernel.kernelapp:IPKernelApp.init_path(self)": "a notebook does not find modules that it wrote itself",
    "ipykernel.kernelapp:IPKernelApp.init_kernel(self)": "the kernel has no channels",
    "ipykernel.kernelapp:IPKernelApp.init_control(self, context)": "the control channel makes a socket of its own",
    "ipykernel.kernelapp:IPKernelApp.init_iopub(self, context)": (
        "after a flood of output, the message that its cell has ended is lost"
    ),
    "ipykernel.kernelapp:IPKernelApp.init_crash_handler(self)": "a crash writes files into the scratch folder",
    "ipykernel.kernelapp:IPKernelApp.configure_tornado_logger(self)": "the output channel does not start",
    "ipykernel.kernelapp:IPKernelApp._bind_socket(self, s, port)": "channels make sockets, and the kernel dies",
    "ipykernel.kernelapp:IPKernelApp._try_bind_socket(self, s, port)": "channels are not opened",
    "ipykernel.kernelapp:IPKernelApp._ports": "the kernel cannot say which ports it has",
}

# The tables of torch's operators and their Python forms, which the student kernel refuses; and parts of a module, for
# rebuilding it.
_CALLED_AS_OPERATOR = "a ready-made function can be called as an operator while a question refuses it"
_CALLED_IN_PYTHON = "the Python form of a ready-made function can be called while a question refuses it"

TORCH = {
    "torch:_C._dispatch_get_all_op_names": _CALLED_AS_OPERATOR,
    "torch:_C._dispatch_has_kernel_for_dispatch_key": _CALLED_AS_OPERATOR,
    "torch:_C._dispatch_library": _CALLED_AS_OPERATOR,
    "torch:_C._parse_dispatch_key": _CALLED_AS_OPERATOR,
    "torch.library:CustomOpDef._init_fn": _CALLED_AS_OPERATOR,
    "torch.nn:Module._buffers": "a module of the student's is rebuilt without its buffers",
    "torch.nn:Module._non_persistent_buffers_set": "a rebuilt module's state_dict has too many names",
    "torch.nn:Module._parameters": "a module of the student's is rebuilt without its parameters",
    "torch._dynamo": "the first optimizer of each kernel imports torch's compiler, which takes a second",
    "torch._decomp.decompositions": _CALLED_IN_PYTHON,
    "torch._higher_order_ops.flex_attention": _CALLED_IN_PYTHON,
    "torch._refs": _CALLED_IN_PYTHON,
    "torch._refs.nn.functional": _CALLED_IN_PYTHON,
    "torch._refs.special": _CALLED_IN_PYTHON,
    "torch.nested._internal.ops": _CALLED_IN_PYTHON,
    "torch.nested._internal.sdpa": _CALLED_IN_PYTHON,
}

# Undocumented names of Python's own modules.
PYTHON = {"json:detect_encoding(b)": "a notebook that an editor saved in UTF-16 counts as unreadable"}

# The gradebook's tables are written in bulk, past nbgrader's own methods; nbgrader's converter runs without its
# database; the formgrader is corrected, and two commands of nbgrader are refused.
_NOT_WRITTEN = "results cannot be written into the gradebook"
_SLOW_PAGE = "a notebook that takes an hour to be shown stops the formgrader for all TAs"
_NO_RELEASE = "no release can be made"

NBGRADER = {
    "nbgrader:api": "the gradebook cannot be opened",
    "nbgrader.api:Gradebook.__init__(self, db_url, course_id, authenticator)": "the gradebook cannot be opened",
    "nbgrader.api:Assignment": _NOT_WRITTEN,
    "nbgrader.api:Base": _NOT_WRITTEN,
    "nbgrader.api:Comment": _NOT_WRITTEN,
    "nbgrader.api:Grade": _NOT_WRITTEN,
    "nbgrader.api:GradeCell": _NOT_WRITTEN,
    "nbgrader.api:Notebook": _NOT_WRITTEN,
    "nbgrader.api:SolutionCell": _NOT_WRITTEN,
    "nbgrader.api:SourceCell": _NOT_WRITTEN,
    "nbgrader.api:Student": _NOT_WRITTEN,
    "nbgrader.api:SubmittedAssignment": _NOT_WRITTEN,
    "nbgrader.api:SubmittedNotebook": _NOT_WRITTEN,
    "nbgrader.api:new_uuid()": _NOT_WRITTEN,
    "nbgrader.api:get_alembic_version()": "the first `course release` takes 2 s more and needs `alembic` on PATH",
    "nbgrader.dbutil:ALEMBIC_DIR": "a new gradebook has no version, and nbgrader cannot upgrade it later",
    "nbgrader.utils:is_grade(cell)": _NO_RELEASE,
    "nbgrader.utils:is_locked(cell)": _NO_RELEASE,
    "nbgrader.utils:is_solution(cell)": _NO_RELEASE,
    "nbgrader.converters:GenerateAssignment.preprocessors": _NO_RELEASE,
    "nbgrader.coursedir:CourseDirectory": _NO_RELEASE,
    "nbgrader.preprocessors:NbGraderPreprocessor": _NO_RELEASE,
    "nbgrader.preprocessors:SaveCells": _NO_RELEASE,
    "nbgrader.apps.api:NbGraderAPI.get_submitted_timestamp(self, assignment_id, student_id)": (
        "a pipe called timestamp.txt holds up the formgrader for good"
    ),
    **dict.fromkeys(
        (
            "nbgrader.apps.api:NbGraderAPI.generate_assignment(self, assignment_id, force, create)",
            "nbgrader.apps.api:NbGraderAPI.autograde(self, assignment_id, student_id, force, create)",
            "nbgrader.apps.api:NbGraderAPI.generate_feedback(self, assignment_id, student_id, force)",
            "nbgrader.apps.api:NbGraderAPI.release_assignment(self, assignment_id)",
            "nbgrader.apps.api:NbGraderAPI.unrelease(self, assignment_id)",
            "nbgrader.apps.api:NbGraderAPI.collect(self, assignment_id, update)",
            "nbgrader.apps.api:NbGraderAPI.release_feedback(self, assignment_id, student_id)",
        ),
        "a button of the formgrader runs students' code without the sandbox, or replaces results and pages",
    ),
    "nbgrader.plugins:ExportPlugin": "`nbgrader export` cannot write a learning platform's sheet of grades",
    "nbgrader.converters:NbGraderException": (
        "plain nbgrader ends with a traceback where it is refused, without the sentence that says why"
    ),
    "nbgrader.converters:Autograde.start(self)": "`nbgrader autograde` replaces results",
    "nbgrader.converters:GenerateFeedback.start(self)": "`nbgrader generate_feedback` shows hidden tests",
    "nbgrader.exchange:ExchangeError": "the formgrader logs a critical error at each request",
    "nbgrader.exchange.default:ExchangeList.start(self)": "the formgrader logs a critical error at each request",
    "nbgrader.server_extensions.formgrader.base:BaseHandler.on_finish(self)": (
        "the formgrader goes on showing the marks that it read first"
    ),
    "nbgrader.server_extensions.formgrader.base:BaseHandler.exporter": _SLOW_PAGE,
    "nbgrader.server_extensions.formgrader.handlers:SubmissionHandler.get(self, submission_id)": _SLOW_PAGE,
}
