/**
 * Everything that Pyodide 314.0.7's WebAssembly module imports from JavaScript, in groups. The
 * module is not started when it asks for a name that stands in none of them: a new version of
 * Pyodide has to be read before it may run. The first four groups are all that Python can do to
 * the host; the first three leave nothing for the next call.
 */

/** The version whose imports these are. */
export const PYODIDE_VERSION = "314.0.7";

const names = (text: string): readonly string[] => text.trim().split(/\s+/);

/** These read, calculate, or write Python's own memory, which every call gets back as it was. */
export const harmless: ReadonlySet<string> = new Set(
  names(`
  __syscall_faccessat __syscall_getcwd __syscall_readlinkat __syscall_statfs64 __syscall_fstatfs64 __syscall_poll
  __syscall_fdatasync fd_sync fd_fdstat_get clock_res_get environ_sizes_get environ_get
  _tzset_js _timegm_js _mktime_js _localtime_js _gmtime_js _emscripten_get_progname
  _PyEM_TrampolineCall_JS`),
);

/** These change files in memory: virtualDisk.ts puts back each field of nodes, streams and tables. */
export const restored: ReadonlySet<string> = new Set(
  names(`
  __syscall_openat __syscall_chdir __syscall_fchdir __syscall_chmod __syscall_fchmod
  __syscall_fchmodat2 __syscall_ftruncate64 __syscall_truncate64 __syscall_fallocate
  __syscall_getdents64 __syscall_mkdirat __syscall_unlinkat __syscall_rmdir __syscall_renameat
  __syscall_symlinkat __syscall_utimensat fd_read fd_write fd_seek fd_pread fd_pwrite`),
);

/** The same, but for what `restoredBut` says of their arguments. */
export const restoredBut: Readonly<Record<string, (...given: number[]) => boolean>> = {
  /** Standard streams belong to the process. */
  fd_close: (file = 0) => file <= 2,
  /** F_DUPFD. */
  __syscall_fcntl64: (_file, command) => command === 0,
  /** All but setting what a terminal does: TCGETS, TIOCGWINSZ, TIOCGPGRP, FIONREAD, FIONBIO. */
  __syscall_ioctl: (_file, request = 0) => ![21505, 21523, 21519, 21531, 21537].includes(request),
};

/**
 * These work, and use the process up: it answers, ends, and another takes its place. Growing memory
 * (served by the guard) and an interrupt at a limit do so too.
 */
export const spending: ReadonlySet<string> = new Set(
  names(`
  __syscall_dup __syscall_dup3 __syscall_pipe __syscall_mknodat __syscall_fchownat
  __syscall_fchown32 _mmap_js _munmap_js _msync_js emscripten_runtime_keepalive_push
  emscripten_runtime_keepalive_pop _emscripten_runtime_keepalive_clear`),
);

/** Served by the guard itself: time, that of files, too, entropy, memory, interrupts, the way out. */
export const served: ReadonlySet<string> = new Set(
  names(`
  emscripten_date_now emscripten_get_now clock_time_get random_get __syscall_fadvise64 _setitimer_js
  __syscall_fstat64 __syscall_stat64 __syscall_newfstatat __syscall_lstat64
  emscripten_get_heap_max emscripten_resize_heap _Py_CheckEmscriptenSignals_Helper
  _Py_emscripten_runtime __syscall_umask_js __syscall_getuid32_js exit proc_exit _abort_js __assert_fail`),
);

/** Refused with a C error code, so that a program sees an ordinary Python exception. */
export const REFUSED_CALLS: Readonly<Record<string, number | null>> = {
  _emscripten_system: -1,
  __syscall_socket: -2,
  __syscall_connect: -2,
  __syscall_bind: -2,
  __syscall_listen: -2,
  __syscall_accept4: -2,
  __syscall_sendto: -2,
  __syscall_sendmsg: -2,
  __syscall_recvfrom: -2,
  __syscall_recvmsg: -2,
  __syscall_getsockopt: -2,
  __syscall_getsockname: -2,
  __syscall_getpeername: -2,
  getaddrinfo: -3,
  getnameinfo: -3,
  getprotobyname: 0,
  _emscripten_lookup_name: 0,
  _dlopen_js: 0,
  _dlsym_js: 0,
  _try_fcntl64: 0,
  _try_shutdown: 0,
  _maybe_connect_async: null,
  _maybe_recvfrom_async: null,
  _maybe_sendto_async: null,
  _maybe_poll_async: null,
};

/** Python's door to JavaScript. Open while Pyodide starts; afterwards a knock ends the process. */
export const bootOnly: ReadonlySet<string> = new Set(
  names(`
  capture_stderr restore_stderr new_error JsvError_Check fail_test JsvError_Throw
  emscripten_asm_const_int raw_call_js hiwire_invalid_ref_js set_pyodide_module
  js2python_immutable_js js2python_js js2python_convert JsProxy_compute_typeflags is_comlink_proxy
  JsvArray_Check JsProxy_GetAttr_js pyproxy_Check JsvFunction_Check handle_next_result_js
  destroy_proxy JsvArray_New destroy_proxies _agen_handle_result_js JsvArray_Get JsvArray_Delete
  JsvArray_Set JsvPromise_Resolve create_promise_handles JsModule_GetAll_js
  JsvBuffer_assignToPtr JsBuffer_get_info Jsv_constructorName can_run_sync_js JsObjMap_GetIter_js
  JsObjMap_length_js JsObjMap_subscript_js JsObjMap_ass_subscript_js JsObjMap_contains_js
  JsMap_GetIter_js JsProxy_GetIter_js JsProxy_GetAsyncIter_js JsProxy_subscript_js Jsv_to_bool
  JsvPromise_Check JsvArray_slice JsvArray_slice_assign destroy_jsarray_entries JsvArray_Extend
  JsvArray_ShallowCopy JsArray_repeat_js JsArray_inplace_repeat_js JsException_new_helper
  JsProxy_Dir_js JsProxy_to_weakref_js get_length_helper get_length_string JsProxy_exit_js
  JsProxy_aexit_js JsvArray_Push JsvArray_Insert pyproxy_AsPyObject JsArray_index_js
  JsvObject_toString JsProxy_DelAttr_js JsProxy_SetAttr_js Jsv_less_than Jsv_less_than_equal
  Jsv_equal Jsv_not_equal Jsv_greater_than Jsv_greater_than_equal JsProxy_Bool_js Jsv_typeof
  JsvObject_Entries JsvObject_Keys JsvObject_Values JsDoubleProxy_unwrap_js create_once_callable
  JsArray_reverse_js JsArray_reversed_iterator JsArray_count_js JsMap_clear_js
  JsvBuffer_assignFromPtr JsBuffer_DecodeString_js JsvBuffer_writeToFile JsvBuffer_readFromFile
  JsvBuffer_intoFile JsvFunction_Construct JsvFunction_CallBound JsvObject_New JsvObject_SetAttr
  my_dict_converter JsvGenerator_Check wrap_generator JsvAsyncGenerator_Check
  wrap_async_generator get_async_js_call_done_callback gc_register_proxies throw_no_gil
  JsvUTF8ToString proxy_cache_get proxy_cache_set set_suspender _pyproxyGen_make_result
  JsvFunction_Call_OneArg _pyproxy_get_buffer_result array_to_js pyproxy_new_ex pyproxy_new
  _python2js_buffer_inner Jsv_GetError_import jslib_init_buffers_js jslib_init_js
  JsvObject_CallMethod JsvObject_CallMethod_NoArgs JsvObject_CallMethod_OneArg
  JsvObject_CallMethod_TwoArgs JsvNoValue_Check JsvBigInt_fromInt JsvNum_fromInt JsvNum_fromDouble
  JsvNum_toInt JsvBigInt_fromDigits Jsv_BigIntToNum JsvMap_New JsvLiteralMap_New JsvMap_Set
  JsvSet_New JsvSet_Add _python2js_cache_lookup python2js__default_converter_js
  python2js__eager_converter_js _python2js_add_to_cache _python2js_addto_postprocess_list
  python2js_custom__create_jscontext _python2js_handle_postprocess_list _JsObject_Set_js
  _JsArray_PushEntry_helper _JsArray_PostProcess_helper _python2js_ascii _python2js_ucs2
  _python2js_ucs4 _python2js_ucs1 destroy_proxies_js pyodide_js_init saveState get_suspender
  syncifyHandler restoreState JsvPromise_Syncify_handleError
  emscripten_set_up_async_input_device_js emscripten_debugger emscripten_log_impl_js ffi_call_js
  ffi_closure_alloc_js ffi_closure_free_js ffi_prep_closure_loc_js __hiwire_deduplicate_new
  __hiwire_deduplicate_get __hiwire_deduplicate_set __hiwire_deduplicate_delete
  _emscripten_dlopen_js emscripten_promise_create emscripten_promise_resolve
  emscripten_promise_destroy _emscripten_log_formatted __call_sighandler`),
);
