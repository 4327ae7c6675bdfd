"""What the student kernel takes from inside ipykernel: names and steps that its documentation does not promise.

The classes of `kernel.py` override or call them. An upgrade that renames one, or gives it other arguments, can leave
the kernel running and quietly doing the wrong thing; `tests/test_relies_on.py` says then which one it was.
"""

# {"module:name(arguments)": what no longer holds when it is another}
IPYKERNEL = {
    "ipykernel.iostream:OutStream._flush_buffers(self)": "a long print is one message and is cut by the channel",
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
        "nobody knows at which statement a cell has stopped, so nothing above it is repeated"
    ),
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
    "ipykernel.ipkernel:IPythonKernel.compiler_class": "naming a cell takes as long as running it",
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
    "ipykernel.kernelapp:IPKernelApp.init_iopub(self, context)": "a flood of output loses the end of its cell",
    "ipykernel.kernelapp:IPKernelApp.init_crash_handler(self)": "a crash writes files into the scratch folder",
    "ipykernel.kernelapp:IPKernelApp.configure_tornado_logger(self)": "the output channel does not start",
    "ipykernel.kernelapp:IPKernelApp._bind_socket(self, s, port)": "channels make sockets, and the kernel dies",
    "ipykernel.kernelapp:IPKernelApp._try_bind_socket(self, s, port)": "channels are not opened",
    "ipykernel.kernelapp:IPKernelApp._ports": "the kernel cannot say which ports it has",
}
